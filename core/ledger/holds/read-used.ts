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
 * What a limit has used in its window for a hold made now, as far as it can be told without writing: undefined where it is still to
 * be counted, or to be valued in USD.
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

/** Of one sender, user or ticket they are few; of more than are counted at once nothing is told. */
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
