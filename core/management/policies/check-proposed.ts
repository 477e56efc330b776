import type { Kysely, Transaction } from 'kysely';
import { inOwnTurn } from '../../base/time/in-own-turn.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Policy } from '../../domain/policy.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { areRegisteredStill, type NamedContracts, readNamedContracts } from '../../paymasters/sponsored-contracts.ts';
import { readCallRules } from '../../policies/call-rules/call-rules.ts';
import { readCalledLimits } from '../../policies/called-limits.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import type { Proposed } from '../../policies/rules/policy-rules.ts';
import type { Database } from '../../store/database.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { refuseUnserved, type Served } from './put-policy.ts';

/** A checked policy: `registered` are the registrations that it was checked against. */
export type CheckedPolicy = Pick<Proposed, 'policy' | 'callRules' | 'calledLimits'> & {
  readonly registered: Pick<NamedContracts, 'numbers'>;
};

/** A proposed policy in stored form, with its rules and limits on contracts. */
export async function checkProposed(
  { store, config }: { readonly store: Store; readonly config: Served },
  owned: Owned,
  proposed: Policy,
): Promise<Result<CheckedPolicy>> {
  const checked = await inOwnTurn(owned.accountId, () => checkPolicy(proposed));
  if (!checked.ok) return checked;
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  const { value: policy } = checked;
  const unserved = await refuseUnserved(store.db, config, owned, policy);
  if (unserved !== undefined) return unserved;
  const contracts = await readNamedContracts(store.db, owned, policy);
  return inOwnTurn(owned.accountId, () => {
    const { rules: callRules, problems } = readCallRules(policy.callRules, contracts.ruled);
    const { limits, methodGas } = policy;
    const { limits: calledLimits, problems: ofLimits } = readCalledLimits(limits, contracts.called, methodGas);
    const [first] = [...problems, ...ofLimits];
    return first === undefined
      ? accept({ policy, callRules, calledLimits, registered: contracts })
      : invalidField(first.field, first.requirement);
  });
}

/**
 * Refuses a policy if one of its contracts was registered again or deleted since the check. Called in the transaction that
 * stores the policy; later contract changes report rules that no longer match.
 */
export async function refuseOutdated(
  trx: Transaction<Database>,
  { paymasterId }: Owned,
  { policy, registered }: Pick<CheckedPolicy, 'policy' | 'registered'>,
): Promise<Result<never> | undefined> {
  if (await areRegisteredStill(trx, { paymasterId, ...policy }, registered)) return undefined;
  return invalidField(
    'policy',
    'must fit the registered contracts, and a contract that it names has just changed. Send it again',
  );
}

export const policyNotFound = refuse({ reason: 'POLICY_NOT_FOUND', message: 'Policy not found' });

export async function hasNamedPolicy(db: Kysely<Database>, { paymasterId, policyId }: PolicyKey): Promise<boolean> {
  const row = await db
    .selectFrom('named_policies')
    .select('policy_id')
    .where('paymaster_id', '=', paymasterId)
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
  return row !== undefined;
}
