import type { Refusal } from '../domain/result/refusal.ts';

/** A policy of a paymaster: a named one by its id, or with an empty one the default. */
export type PolicyKey = { readonly paymasterId: string; readonly policyId: string };

/** Under which key the limits of a policy count: its id, or for the default one that of the paymaster. */
export function policyKey({ paymasterId, policyId }: PolicyKey): string {
  return policyId === '' ? paymasterId : policyId;
}

/** A request names a policy that it may not choose. `detail` completes the sentence. */
export function policyNotAccepted(detail: string): Refusal {
  return { reason: 'POLICY_NOT_ACCEPTED', message: `policyId ${detail}`, field: 'policyId' };
}
