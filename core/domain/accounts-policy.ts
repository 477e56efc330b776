/** Whose operations a policy sponsors: those of accounts whose code is known, or of any account. */
export const accountsPolicies = ['KNOWN', 'ANY'] as const;
export type AccountsPolicy = (typeof accountsPolicies)[number];
