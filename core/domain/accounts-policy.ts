import { accountsPolicies } from '@tollfree/contract/policy-fields';

/** Whose operations a policy sponsors: those of accounts whose code is known, or of any account. */
export { accountsPolicies };
export type AccountsPolicy = (typeof accountsPolicies)[number];
