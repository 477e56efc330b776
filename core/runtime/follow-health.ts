import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { DeepReorganisation } from '../ledger/following/deep-reorganisation.ts';

/** A node that leaves a question without an answer for longer is silent, in milliseconds. */
const maxSilence = 5_000;
/** Books that no look has brought up to date for longer are behind, in milliseconds beside the time between two looks. */
const maxBehind = 60_000;

type Trouble = 'off-chain' | 'books' | 'node';

/** Whether the books follow their chain, as the looks at it turn out. */
export type FollowHealth = {
  /** A look begins: the node has been asked for its head. */
  asked(): void;
  answered(): void;
  /** All that is confirmed is in the books. */
  completed(): void;
  /** A look failed, in a transaction of the books or before it. */
  failed(cause: unknown, inBooks: boolean): void;
  /** False when the books and the chain are known not to agree: then nothing may be signed. */
  booksFollow(): boolean;
  /** Why the chain is not ready, in words; undefined when all is well. */
  fault(): string | undefined;
};

const troubleText = {
  'off-chain': 'The books hold a block that is no longer on the chain',
  books: 'The books do not take what the chain says; it is tried again',
  node: 'The chain could not be read; it is tried again',
} as const satisfies Record<Trouble, string>;

/** Logs a trouble once when it begins, with its cause, and once when it is over. */
export function createFollowHealth(options: {
  readonly chainId: number;
  readonly pollIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}): FollowHealth {
  const { chainId, clock, logger } = options;
  let unanswered: number | undefined;
  let completedAt: number | undefined;
  let trouble: { readonly kind: Trouble; readonly message: string } | undefined;

  function failed(cause: unknown, inBooks: boolean): void {
    const kind = cause instanceof DeepReorganisation ? 'off-chain' : inBooks ? 'books' : 'node';
    const before = trouble?.kind;
    // A node that is away says nothing about the books: what is wrong with them stays so until a look is completed.
    if (kind === 'node' && before !== undefined) return;
    trouble = { kind, message: kind === 'off-chain' && cause instanceof Error ? cause.message : troubleText[kind] };
    if (before === kind) return;
    logger[kind === 'node' ? 'warn' : 'error']({ err: cause, chainId }, troubleText[kind]);
  }

  function fault(): string | undefined {
    const now = clock.now();
    if (trouble?.kind === 'off-chain') return trouble.message;
    if (trouble?.kind === 'books') return 'the books do not take what the chain says; the log has the cause';
    if (unanswered !== undefined && now - unanswered > maxSilence) return 'the node does not answer';
    if (completedAt === undefined) return 'the books are being brought up to date with the chain';
    if (now - completedAt > maxBehind + options.pollIntervalMs) {
      return `the books have not been up to date with the chain for ${Math.floor((now - completedAt) / 1_000)} seconds`;
    }
    return undefined;
  }

  return {
    asked: () => {
      unanswered ??= clock.now();
    },
    answered: () => {
      unanswered = undefined;
    },
    completed: () => {
      completedAt = clock.now();
      if (trouble !== undefined) logger.info({ chainId }, 'The chain is followed again');
      trouble = undefined;
    },
    failed,
    booksFollow: () => trouble === undefined || trouble.kind === 'node',
    fault,
  };
}
