import { type Kysely, sql } from 'kysely';
import type { PolicyLimit } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';

/** Whether limits bound what all senders together can spend: any number of senders can be created for free. */
export function hasTotalLimit(limits: readonly Pick<PolicyLimit, 'per' | 'contract'>[]): boolean {
  return limits.some(({ per, contract }) => per === 'total' && contract === undefined);
}

/**
 * The paymasters that sign without a bound on what all senders together can spend: no budget of the account covers them, and their
 * default policy, or a named policy that requests may choose, has no total limit. Retired paymasters are left out.
 *
 * The database reads the policies, since one with all its senders is large.
 */
export function selectUnbounded(db: Kysely<Database>) {
  const { eachLimit } = dialectOf(db);
  const isBounded = (policy: string) =>
    sql<boolean>`EXISTS (SELECT 1 FROM ${eachLimit(sql.ref(policy))} WHERE per = 'total' AND contract IS NULL)`;
  return db
    .selectFrom('paymasters')
    .where('retired_at', 'is', null)
    .where(({ and, or, not, exists, selectFrom }) =>
      and([
        not(
          exists(
            selectFrom('budgets')
              .select('budget_id')
              .whereRef('budgets.account_id', '=', 'paymasters.account_id')
              .where(({ eb, or }) =>
                or([
                  eb('paymaster_ids', 'is', null),
                  // The ids, which all have the same length, with spaces in between.
                  eb('paymaster_ids', 'like', sql<string>`'%' || paymasters.paymaster_id || '%'`),
                ]),
              ),
          ),
        ),
        or([
          not(
            exists(
              selectFrom('policies')
                .select('policies.paymaster_id')
                .whereRef('policies.paymaster_id', '=', 'paymasters.paymaster_id')
                .where(isBounded('policies.policy')),
            ),
          ),
          exists(
            selectFrom('named_policies')
              .select('policy_id')
              .whereRef('named_policies.paymaster_id', '=', 'paymasters.paymaster_id')
              .where('enabled', '=', 1)
              .where(({ not }) => not(isBounded('named_policies.policy'))),
          ),
        ]),
      ]),
    );
}
