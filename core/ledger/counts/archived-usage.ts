import type { Kysely } from 'kysely';
import { storedSubject } from '../../policies/called-limits/called-subject.ts';
import { policyKey } from '../../policies/policy-key.ts';
import { worthUsdMicros } from '../../policies/rules/worth-usd-micros.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import type { LimitUsage, UsageKey } from './limit-usage.ts';

/**
 * What a limit counts of holds that are archived: of one without an end alone, windows of others are shorter than the ledger is
 * kept. Where it counts USD, holds that had no worth are valued at the price of this moment.
 */
export async function readArchivedUsage(
  db: Kysely<Database>,
  key: UsageKey,
  usdMicrosPerCoin: bigint | undefined,
): Promise<LimitUsage> {
  const row =
    key.window === 'ever'
      ? await db
          .selectFrom('archived_usage')
          .selectAll()
          .where('policy_key', '=', policyKey(key))
          .where('subject', '=', storedSubject(key))
          .executeTakeFirst()
      : undefined;
  if (row === undefined) return { operations: 0, wei: 0n, usdMicros: 0n };
  const unpriced = fromWeiText(row.unpriced_wei);
  const usdMicros =
    usdMicrosPerCoin === undefined ? 0n : BigInt(row.usd_micros) + worthUsdMicros(unpriced, usdMicrosPerCoin);
  return { operations: row.operations, wei: fromWeiText(row.wei), usdMicros };
}
