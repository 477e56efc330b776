import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';

/**
 * The paymasters whose policy has no cap on the cost of one operation: the default policy, or a named one that requests may choose.
 * Retired paymasters are left out. The database reads the policies, since one with all its senders is large.
 */
export function selectUncapped(db: Kysely<Database>) {
  const { policyField } = dialectOf(db);
  const isCapped = (policy: string) =>
    sql<boolean>`coalesce(${policyField(sql.ref(policy), 'maxCostWei')}, ${policyField(sql.ref(policy), 'maxCostUsdMicros')}) IS NOT NULL`;
  return db
    .selectFrom('paymasters')
    .where('retired_at', 'is', null)
    .where(({ or, not, exists, selectFrom }) =>
      or([
        not(
          exists(
            selectFrom('policies')
              .select('policies.paymaster_id')
              .whereRef('policies.paymaster_id', '=', 'paymasters.paymaster_id')
              .where(isCapped('policies.policy')),
          ),
        ),
        exists(
          selectFrom('named_policies')
            .select('policy_id')
            .whereRef('named_policies.paymaster_id', '=', 'paymasters.paymaster_id')
            .where('enabled', '=', 1)
            .where(({ not }) => not(isCapped('named_policies.policy'))),
        ),
      ]),
    );
}
