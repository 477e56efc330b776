import type { Kysely } from 'kysely';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { readArchivedUsage } from '../counts/archived-usage.ts';
import { beginningOf, holdsAfter } from '../counts/countable-holds.ts';
import { sumHours } from '../counts/counted-hours.ts';
import { isGivenBack } from '../counts/is-given-back.ts';
import { getUsage, type LimitUsage, type UsageKey } from '../counts/limit-usage.ts';
import { type UsageSubject, usageKey } from '../counts/usage-key.ts';
import { holdsInStep } from './count-in-steps.ts';

/**
 * How much of a limit is used in its window for a hold made now, as far as it can be determined without writing: undefined
 * if it still has to be counted, or valued in USD.
 */
export async function readUsed(
  db: Kysely<Database>,
  limit: CountedLimit,
  hold: UsageSubject,
): Promise<bigint | undefined> {
  const key = usageKey(limit, hold);
  const inUsd = limit.unit === 'usdMicros';
  const kept = await getUsage(db, key);
  if (kept !== undefined && kept.upTo === undefined && (kept.countsUsd || !inUsd))
    return BigInt(kept.usage[limit.unit]);
  const found =
    key.subject === '' && key.called === undefined && !inUsd ? await sumHours(db, key) : await sumHolds(db, key, inUsd);
  return found === undefined ? undefined : BigInt({ usdMicros: 0n, ...found }[limit.unit]);
}

/** One sender, user or ticket has few; undefined when there are more than are counted at once. */
async function sumHolds(db: Kysely<Database>, key: UsageKey, inUsd: boolean): Promise<LimitUsage | undefined> {
  const rows = await holdsAfter(db, key, beginningOf(key), holdsInStep + 1);
  if (rows.length > holdsInStep) return undefined;
  const { unpricedWei, ...sum } = await readArchivedUsage(db, key);
  if (inUsd && unpricedWei > 0n) return undefined;
  for (const row of rows) {
    if (isGivenBack(row) || row.counted === null) continue;
    if (inUsd && row.usd_micros === null) return undefined;
    sum.operations += row.calls;
    sum.wei += fromWeiText(row.counted);
    sum.usdMicros += BigInt(row.usd_micros ?? 0);
  }
  return sum;
}
