import type { Kysely } from 'kysely';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import { parsePolicy } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/row-error.ts';
import { loadCallRules } from './load-call-rules.ts';
import { loadCalledLimits } from './load-called-limits.ts';
import type { ChoosablePolicy } from './sponsor-profile.ts';

/** The named policies that requests may choose, by their ids. One that cannot be read is none of them. */
export async function loadNamedPolicies(
  db: Kysely<Database>,
  paymasterId: string,
  contracts: readonly { readonly contract_number: number; readonly address: string }[],
): Promise<ReadonlyMap<string, ChoosablePolicy>> {
  const rows = await db
    .selectFrom('named_policies')
    .select(['policy_id', 'name', 'description', 'author', 'icon', 'policy'])
    .where('paymaster_id', '=', paymasterId)
    .where('enabled', '=', 1)
    .orderBy('name')
    .execute();
  const policies = new Map<string, ChoosablePolicy>();
  for (const { policy_id: policyId, name, description, author, icon, policy: text } of rows) {
    try {
      const policy = parsePolicy(text, policyId);
      const callRules = await loadCallRules(db, { paymasterId, rules: policy.callRules }, contracts);
      const calledLimits = await loadCalledLimits(db, { paymasterId, limits: policy.limits }, contracts);
      const shown = omitAbsent({
        description: description ?? undefined,
        author: author ?? undefined,
        icon: icon ?? undefined,
      });
      policies.set(policyId, { policyId, name, ...shown, policy, callRules, calledLimits });
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
    }
  }
  return policies;
}
