import type { Owned } from '../../domain/access/owned.ts';
import type { Policy } from '../../domain/policy.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { CallRules } from '../../policies/call-rules/call-rules.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { checkCallRules } from './check-call-rules.ts';

/** A policy that the owner of a paymaster proposes, as it would be stored, and its rules on arguments. */
export async function checkProposed(
  { store }: { readonly store: Store },
  owned: Owned,
  proposed: Policy,
): Promise<Result<{ readonly policy: Policy; readonly callRules: CallRules }>> {
  const checked = checkPolicy(proposed);
  if (!checked.ok) return checked;
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  const rules = await checkCallRules(store.db, owned.paymasterId, checked.value);
  return rules.ok ? accept({ policy: checked.value, callRules: rules.value }) : rules;
}
