import { accountsPolicies } from '@tollfree/contract/policy-fields';

/** Which accounts a policy sponsors: those whose code is known, or any. */
export { accountsPolicies };
export type AccountsPolicy = (typeof accountsPolicies)[number];
