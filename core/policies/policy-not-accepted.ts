import type { Refusal } from '../domain/result/refusal.ts';

/** A request names a policy that it may not choose. `detail` completes the sentence. */
export function policyNotAccepted(detail: string): Refusal {
  return { reason: 'POLICY_NOT_ACCEPTED', message: `policyId ${detail}`, field: 'policyId' };
}
