import type { Owned } from '../access/owned.ts';
import type { NamedPolicy, NamedPolicyPage, PolicyHead } from '../policies/named-policy.ts';
import type { Policy } from '../policy.ts';
import type { PolicyPreview } from '../policy-preview.ts';
import type { Result } from '../result/result.ts';

/** Policies of a paymaster: the default one and those with a name. */
export type PolicyOperations = {
  /** The paymaster's policy; the default one (fail closed, no limits) while none is set. */
  readPolicy(input: Owned): Promise<Result<Policy>>;
  /** Puts the policy instead of the one before. `INVALID_FIELD` when it is out of bounds or contradicts itself. */
  setPolicy(input: Owned & { policy: Policy }): Promise<Result<Policy>>;
  /**
   * Decides the last decisions (1 to 1,000, 100 by default) by the default policy, or the named one, again with a
   * policy that is not set. Changes nothing.
   */
  previewPolicy(input: Owned & { policy: Policy; policyId?: string; last?: number }): Promise<Result<PolicyPreview>>;
  /**
   * A policy next to the default one, which requests choose by its id. `POLICY_NAME_EXISTS`; `TOO_MANY_POLICIES` when
   * the paymaster has as many as it can have.
   */
  createPolicy(input: Owned & { head: PolicyHead; policy: Policy }): Promise<Result<NamedPolicy>>;
  /** The named policies of the paymaster by name, from `cursor` on as many as fit in a page, at least one. */
  listPolicies(input: Owned & { cursor?: string }): Promise<Result<NamedPolicyPage>>;
  /** `POLICY_NOT_FOUND` for another paymaster's too. */
  readNamedPolicy(input: Owned & { policyId: string }): Promise<Result<NamedPolicy>>;
  /** Puts a head and a policy instead of those before. */
  replacePolicy(input: Owned & { policyId: string; head: PolicyHead; policy: Policy }): Promise<Result<NamedPolicy>>;
  /** Requests that name it are refused from then on, also those that are being decided. */
  deletePolicy(input: Owned & { policyId: string }): Promise<Result<NamedPolicy>>;
};
