import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/time/clock.ts';
import { entriesUpTo } from '../base/values/fair-cache.ts';
import type { Core } from '../domain/core.ts';
import { type LimitLevel, type LimitUse, maxLimitUses } from '../domain/limit-use.ts';
import { accept, invalidField } from '../domain/result/result.ts';
import { drawFromLimit, type KeptLimit, levelAt } from '../paymasters/key-rates.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';

/** Counts uses of limits at once and returns the limits after them, in the order of the uses. */
type LimitCounter = (uses: readonly LimitUse[], now: number) => Promise<readonly KeptLimit[]>;

/** Most limits kept at once; the least recently used one is evicted and so is full again. */
const maxLimits = 100_000;
/** How long a limit is kept after its last use, in milliseconds: it is full again much earlier. */
const keptMs = 3_600_000;
const betweenPrunings = 60_000;

/** `Core.shareLimits`. Names are stored as digests, since they contain addresses and keys. */
export function shareLimits(parts: {
  readonly book: LimitCounter;
  readonly clock: Clock;
  readonly digest: (name: string) => string;
}): Pick<Core, 'shareLimits'> {
  const { book, clock, digest } = parts;
  return {
    async shareLimits({ uses }) {
      if (uses.length > maxLimitUses) return invalidField('uses', `must be ${maxLimitUses} at most`);
      const now = clock.now();
      const digested = uses.map((use) => ({ ...use, name: digest(use.name) }));
      const limits = await book(digested, now);
      return accept(
        limits.flatMap((limit, index): LimitLevel[] => {
          const use = digested[index];
          return use === undefined ? [] : [{ left: levelAt(limit, use, now), used: limit.used }];
        }),
      );
    },
  };
}

/** Keeps limits in memory, if this is the only core process. */
export function limitsInMemory(): LimitCounter {
  const limits = new LRUCache<string, KeptLimit>(entriesUpTo(maxLimits));
  return async (uses, now) =>
    uses.map((use) => {
      const limit = drawFromLimit(limits.get(use.name), use, now);
      limits.set(use.name, limit);
      return limit;
    });
}

/** Keeps limits in the database, for several core processes. */
export function limitsInStore(store: Store): LimitCounter {
  let prunedAt = 0;
  return (uses, now) =>
    store.transaction(async (transaction) => {
      const names = uses.map(({ name }) => name);
      const rows = await transaction
        .selectFrom('shared_limits')
        .selectAll()
        .where('name', 'in', dialectOf(transaction).texts(names))
        .execute();
      const known = new Map(rows.map(({ name, level, level_at: at, used }) => [name, { left: level, used, at }]));
      const limits = uses.map((use) => {
        const limit = drawFromLimit(known.get(use.name), use, now);
        known.set(use.name, limit);
        return limit;
      });
      const changed = [...known].map(([name, { left, at, used }]) => ({ name, level: left, level_at: at, used }));
      if (changed.length > 0) {
        await transaction
          .insertInto('shared_limits')
          .values(changed)
          .onConflict((conflict) =>
            conflict.column('name').doUpdateSet(({ ref }) => ({
              level: ref('excluded.level'),
              level_at: ref('excluded.level_at'),
              used: ref('excluded.used'),
            })),
          )
          .execute();
      }
      if (now - prunedAt >= betweenPrunings) {
        prunedAt = now;
        await transaction
          .deleteFrom('shared_limits')
          .where('level_at', '<', now - keptMs)
          .execute();
      }
      return limits;
    });
}
