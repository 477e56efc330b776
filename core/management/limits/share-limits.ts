import { LRUCache } from 'lru-cache';
import type { Core } from '../../domain/core.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept } from '../../domain/result/result.ts';
import { type LimitUse, maxLimitUses } from '../../domain/sharing/limit-use.ts';
import type { Clock } from '../../domain/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { drawFromLimit, type LimitLevel } from './draw-from-limit.ts';

/** Uses of limits, counted in one go: the levels after it, in the order of the uses. */
export type LimitBook = (uses: readonly LimitUse[], now: number) => Promise<readonly LimitLevel[]>;

/** Limits remembered at once; the least recently used one is forgotten first, that is: full again. */
const maxLimits = 100_000;
/** How long a limit is kept after its last use, in milliseconds: it is full again long before. */
const keptMs = 3_600_000;
const betweenPrunings = 60_000;

/** `Core.shareLimits`. Names are kept as digests: they have addresses and keys in them. */
export function shareLimits(parts: {
  readonly book: LimitBook;
  readonly clock: Clock;
  readonly digest: (name: string) => string;
}): Pick<Core, 'shareLimits'> {
  const { book, clock, digest } = parts;
  return {
    async shareLimits({ uses }) {
      if (uses.length > maxLimitUses) return invalidField('uses', `must be ${maxLimitUses} at most`);
      const levels = await book(
        uses.map((use) => ({ ...use, name: digest(use.name) })),
        clock.now(),
      );
      return accept(levels.map(({ left }) => left));
    },
  };
}

/** Keeps limits in memory, where all gateways have this process. */
export function limitsInMemory(): LimitBook {
  const levels = new LRUCache<string, LimitLevel>({ max: maxLimits });
  return async (uses, now) =>
    uses.map((use) => {
      const level = drawFromLimit(levels.get(use.name), use, now);
      levels.set(use.name, level);
      return level;
    });
}

/** Keeps limits in the database, where gateways have several processes. */
export function limitsInStore(store: Store): LimitBook {
  let prunedAt = 0;
  return (uses, now) =>
    store.transaction(async (transaction) => {
      const names = uses.map(({ name }) => name);
      const rows = await transaction.selectFrom('shared_limits').selectAll().where('name', 'in', names).execute();
      const known = new Map(rows.map(({ name, level, level_at: at }) => [name, { left: level, at }]));
      const levels = uses.map((use) => {
        const level = drawFromLimit(known.get(use.name), use, now);
        known.set(use.name, level);
        return level;
      });
      const changed = [...known].map(([name, { left, at }]) => ({ name, level: left, level_at: at }));
      if (changed.length > 0) {
        await transaction
          .insertInto('shared_limits')
          .values(changed)
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet(({ ref }) => ({ level: ref('excluded.level'), level_at: ref('excluded.level_at') })),
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
      return levels;
    });
}
