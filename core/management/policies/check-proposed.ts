import type { Owned } from '../../domain/access/owned.ts';
import type { Policy } from '../../domain/policy.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import type { Proposed } from '../../policies/rules/policy-rules.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { checkCallRules } from './check-call-rules.ts';
import { checkCalledLimits } from './check-called-limits.ts';

/** A policy that the owner of a paymaster proposes, as it would be stored, and its rules and limits of contracts. */
export async function checkProposed(
  { store }: { readonly store: Store },
  owned: Owned,
  proposed: Policy,
): Promise<Result<Pick<Proposed, 'policy' | 'callRules' | 'calledLimits'>>> {
  const checked = checkPolicy(proposed);
  if (!checked.ok) return checked;
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  const rules = await checkCallRules(store.db, owned.paymasterId, checked.value);
  if (!rules.ok) return rules;
  const limits = await checkCalledLimits(store.db, owned.paymasterId, checked.value);
  return limits.ok ? accept({ policy: checked.value, callRules: rules.value, calledLimits: limits.value }) : limits;
}
