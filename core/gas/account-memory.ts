import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/time/clock.ts';
import type { Result } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';

/**
 * How long the cached state of an account is used, in milliseconds, counted from the question to the node. Changing the
 * account's code in that time gains nothing over asking slightly earlier: a signature is valid for minutes, and the code at
 * landing time runs.
 */
export const accountLifetimeMs = 1_000;
/** Most accounts kept at once, and total characters of their code. */
const maxAccounts = 10_000;
const maxCharacters = 20_000_000;
const charactersOfAccount = 1_000;

/** A sender, and the code that its authorization sets. */
type Sender = Pick<UserOperation, 'sender' | 'eip7702Auth'>;
type Looked = Result<SeenAccount>;

/** Caches accounts that were read recently. */
export type AccountMemory = {
  /** The cached account. If it is too old, `look` is called, once for all concurrent requests. */
  see(sender: Sender, look: () => Promise<Looked>): Looked | Promise<Looked>;
  /** Keeps what a simulation read; the time is when it was requested, in Unix milliseconds. */
  keep(sender: Sender, seen: Looked, askedAt: number): void;
};

/** A bounded cache. Failures are not cached. */
export function createAccountMemory(clock: Clock): AccountMemory {
  const kept = new LRUCache<string, { readonly seen: Looked; readonly askedAt: number }>({
    max: maxAccounts,
    maxSize: maxCharacters,
    sizeCalculation: ({ seen }) => charactersOfAccount + (seen.ok ? seen.value.code.length : 0),
  });
  const underWay = new Map<string, { readonly looking: Promise<Looked>; readonly askedAt: number }>();

  /** If the clock was set back, the age is unknown. */
  function isFresh(found: { readonly askedAt: number } | undefined): found is { readonly askedAt: number } {
    return found !== undefined && Math.abs(clock.now() - found.askedAt) < accountLifetimeMs;
  }

  function keep(who: string, seen: Looked, askedAt: number): void {
    const before = kept.get(who);
    const isOlder = isFresh(before) && before.askedAt > askedAt;
    if (seen.ok && !isOlder) kept.set(who, { seen, askedAt });
  }

  async function ask(who: string, look: () => Promise<Looked>, askedAt: number): Promise<Looked> {
    try {
      const seen = await look();
      keep(who, seen, askedAt);
      return seen;
    } finally {
      if (underWay.get(who)?.askedAt === askedAt) underWay.delete(who);
    }
  }

  return {
    keep: (sender, seen, askedAt) => keep(nameOf(sender), seen, askedAt),
    see(sender, look) {
      const who = nameOf(sender);
      const found = kept.get(who);
      if (isFresh(found)) return found.seen;
      const asked = underWay.get(who);
      if (isFresh(asked)) return asked.looking;
      const askedAt = clock.now();
      const looking = ask(who, look, askedAt);
      underWay.set(who, { looking, askedAt });
      return looking;
    },
  };
}

function nameOf({ sender, eip7702Auth }: Sender): string {
  return `${sender} ${eip7702Auth?.address ?? ''}`;
}
