/** A policy of a paymaster: a named one by its id, or with an empty one the default. */
export type PolicyKey = { readonly paymasterId: string; readonly policyId: string };

/** Under which key the limits of a policy count: its id, or for the default one that of the paymaster. */
export function policyKey({ paymasterId, policyId }: PolicyKey): string {
  return policyId === '' ? paymasterId : policyId;
}
