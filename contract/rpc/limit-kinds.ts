/**
 * The kind of bound behind `LIMIT_EXCEEDED`, in `error.data.limitKind`: gas limits far above the need, the operator's cap on one
 * operation, the quoted maximum in a token; of the policy its pauses, its period, its cap on one operation and its limits over time; a
 * limit of the apiKey, and a budget of the account.
 */
export const limitKinds = [
  'GAS_LIMIT',
  'OPERATOR_CAP',
  'QUOTE',
  'SCHEDULE',
  'PERIOD',
  'POLICY_CAP',
  'POLICY_LIMIT',
  'KEY_LIMIT',
  'ACCOUNT_BUDGET',
] as const;
export type LimitKind = (typeof limitKinds)[number];
