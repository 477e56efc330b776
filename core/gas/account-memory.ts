import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/time/clock.ts';
import type { Result } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';

/**
 * How long an account counts as what it was seen to be, in milliseconds, from when the node was asked. Anyone who changes his
 * account's code meanwhile gets no more signed than by asking that much earlier: a signature holds for minutes, and what runs
 * when it lands is what the account is by then.
 */
export const accountLifetimeMs = 1_000;
/** Accounts kept at once, and characters of the code of all together. */
const maxAccounts = 10_000;
const maxCharacters = 20_000_000;
const charactersOfAccount = 1_000;

/** A sender, and the code that its authorization gives it. */
type Sender = Pick<UserOperation, 'sender' | 'eip7702Auth'>;
type Looked = Result<SeenAccount>;

/** The accounts that were looked at a moment ago. */
export type AccountMemory = {
  /** The account as it was seen last; `look` is asked when that is too long ago, once for all who come meanwhile. */
  see(sender: Sender, look: () => Promise<Looked>): Looked | Promise<Looked>;
  /** Keeps what a simulation has seen that was asked for at that time, in Unix milliseconds. */
  keep(sender: Sender, seen: Looked, askedAt: number): void;
};

/** A bounded memory. That an account could not be looked at is not kept. */
export function createAccountMemory(clock: Clock): AccountMemory {
  const kept = new LRUCache<string, { readonly seen: Looked; readonly askedAt: number }>({
    max: maxAccounts,
    maxSize: maxCharacters,
    sizeCalculation: ({ seen }) => charactersOfAccount + (seen.ok ? seen.value.code.length : 0),
  });
  const underWay = new Map<string, { readonly looking: Promise<Looked>; readonly askedAt: number }>();

  /** A clock that was set back does not say how long ago it was. */
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
