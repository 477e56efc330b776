import type { Refusal } from '../domain/result/refusal.ts';

/** A policy of a paymaster: a named one by its id, or the default one with an empty id. */
export type PolicyKey = { readonly paymasterId: string; readonly policyId: string };

/** Whether it is a named policy. */
export function isNamed({ policyId }: PolicyKey): boolean {
  return policyId !== '';
}

/** The key under which a policy's limits count: its id, or the paymaster's for the default policy. */
export function policyKey({ paymasterId, policyId }: PolicyKey): string {
  return policyId === '' ? paymasterId : policyId;
}

/** The request names a policy that it may not choose. `detail` completes the sentence. */
export function policyNotAccepted(detail: string): Refusal {
  return { reason: 'POLICY_NOT_ACCEPTED', message: `policyId ${detail}`, field: 'policyId' };
}
