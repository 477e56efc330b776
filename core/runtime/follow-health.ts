import type { Address } from 'viem';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Behind, BehindByContract } from '../ledger/following/behind.ts';
import type { LedgerStanding } from '../ledger/following/ledger-standings.ts';

/** A node that leaves a question without an answer for longer is silent, in milliseconds. */
const maxSilence = 5_000;
/** A ledger that no look has brought up to date for longer are behind, in milliseconds next to the time between two looks. */
const maxBehind = 60_000;

/** Whether the ledger follows its chain, as the looks at it turn out. */
export type FollowHealth = {
  /** A look begins: the node has been asked for its head. */
  asked(): void;
  answered(): void;
  /** A look has come to the ledger: all that is confirmed is in those of the contracts that are not behind. */
  followed(behind: BehindByContract): void;
  /** A look failed before it came to the ledger. */
  failed(cause: unknown): void;
  /** Why nothing may be signed for a contract, in words: its ledger and the chain do not agree, or have not met for long. */
  faultOf(contract: Address): string | undefined;
  /** Why the chain is not ready, in words; undefined when all is well, or some of its contracts are. */
  fault(): string | undefined;
  /** That the node does not answer, in words, if it does not. */
  silence(): string | undefined;
  /** How the ledger of a contract stands. */
  standingOf(contract: Address): LedgerStanding;
  /**
   * The ledger is kept here from now on, where another process did: what it had stopped, for the reasons in words, stays so
   * until the ledger is in step.
   */
  takeOver(stopped: ReadonlyMap<Address, string>): void;
};

/** The ledger of these is known not to agree with the chain: the others may only be late. */
const stopsAtOnce: readonly Behind['kind'][] = ['off-chain', 'books'];

/**
 * Logs a trouble once when it begins, with its cause, and once when it is over. Nodes that differ are a trouble when they do
 * so at the next look too.
 */
export function createFollowHealth(options: {
  readonly chainId: number;
  readonly contracts: readonly Address[];
  readonly pollIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}): FollowHealth {
  const { chainId, clock, logger, contracts } = options;
  let begunAt = clock.now();
  let stopped: ReadonlyMap<Address, string> = new Map();
  const inStepAt = new Map<Address, number>();
  const behind = new Map<Address, Behind>();
  /** What the log has said of contracts that are behind. */
  const reported = new Map<Address, Behind['kind']>();
  const answers = createNodeAnswers(clock);
  let isAway = false;

  function faultOf(contract: Address): string | undefined {
    const why = behind.get(contract);
    if (why !== undefined && stopsAtOnce.includes(why.kind)) return why.text;
    if (!inStepAt.has(contract) && stopped.has(contract)) return stopped.get(contract);
    // A clock that was set back since does not say for how long: it may as well be for as much.
    const late = Math.abs(clock.now() - (inStepAt.get(contract) ?? begunAt));
    if (late <= maxBehind + options.pollIntervalMs) return undefined;
    const since = `the ledger has been behind the chain for ${Math.floor(late / 1_000)} seconds`;
    return why === undefined || why.kind === 'node' ? since : `${since}: ${why.text}`;
  }

  function note(contract: Address, why: Behind | undefined): void {
    const before = behind.get(contract);
    if (why === undefined) {
      inStepAt.set(contract, clock.now());
      behind.delete(contract);
      if (reported.delete(contract)) logger.info({ chainId, contract }, 'The chain is followed again');
      return;
    }
    // A node that is away says nothing about the ledger: what is wrong with them stays so until they have been followed.
    if (why.kind === 'node' && before !== undefined) return;
    behind.set(contract, why);
    if (why.kind === 'reading' || reported.get(contract) === why.kind) return;
    // Events and deposit are two questions, and the node may have made its newest block in between. The next look tells.
    if (why.kind === 'differs' && before?.kind !== 'differs') return;
    reported.set(contract, why.kind);
    const level = why.kind === 'node' ? 'warn' : 'error';
    logger[level]({ err: why.cause, chainId, contract }, `The ledger of a contract is behind: ${why.text}`);
  }

  function fault(): string | undefined {
    const silent = answers.silence();
    if (silent !== undefined) return silent;
    const faults = contracts.map(faultOf);
    if (!faults.includes(undefined)) return faults[0];
    return inStepAt.size === 0 ? 'the ledger is catching up with the chain' : undefined;
  }

  return {
    ...answers,
    followed: (now) => {
      if (isAway) logger.info({ chainId }, 'The chain can be read again');
      isAway = false;
      for (const contract of contracts) note(contract, now.get(contract));
    },
    failed: (cause) => {
      if (!isAway) logger.warn({ err: cause, chainId }, 'The chain could not be read; trying again');
      isAway = true;
    },
    faultOf,
    fault,
    standingOf: (contract) => {
      const why = faultOf(contract);
      if (why !== undefined) return { state: 'stopped', fault: why };
      return { state: inStepAt.has(contract) ? 'kept' : 'reading' };
    },
    takeOver: (faults) => {
      begunAt = clock.now();
      stopped = faults;
      inStepAt.clear();
      behind.clear();
      reported.clear();
    },
  };
}

/** Since when the node has left a question without an answer. */
function createNodeAnswers(clock: Clock): Pick<FollowHealth, 'asked' | 'answered' | 'silence'> {
  let unanswered: number | undefined;
  return {
    asked: () => {
      unanswered ??= clock.now();
    },
    answered: () => {
      unanswered = undefined;
    },
    silence: () => {
      if (unanswered === undefined || clock.now() - unanswered <= maxSilence) return undefined;
      return 'the node does not respond';
    },
  };
}
