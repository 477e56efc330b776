import type { Kysely } from 'kysely';
import { storedSubject } from '../../policies/called-limits/called-key.ts';
import { policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import type { LimitUsage, UsageKey } from './limit-usage.ts';

/**
 * What a limit counts of archived holds; `unpricedWei` is the part that no limit in USD has valued, which is not in
 * `usdMicros`.
 */
type ArchivedUsage = LimitUsage & { readonly unpricedWei: bigint };

/**
 * Only limits without an end count archived holds: the windows of others are shorter than the time the ledger keeps its
 * rows.
 */
export async function readArchivedUsage(db: Kysely<Database>, key: UsageKey): Promise<ArchivedUsage> {
  const row =
    key.window === 'ever'
      ? await db
          .selectFrom('archived_usage')
          .selectAll()
          .where('policy_key', '=', policyKey(key))
          .where('subject', '=', storedSubject(key))
          .executeTakeFirst()
      : undefined;
  if (row === undefined) return { operations: 0, wei: 0n, usdMicros: 0n, unpricedWei: 0n };
  return {
    operations: row.operations,
    wei: fromWeiText(row.wei),
    usdMicros: BigInt(row.usd_micros),
    unpricedWei: fromWeiText(row.unpriced_wei),
  };
}
