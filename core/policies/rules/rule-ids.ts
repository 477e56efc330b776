/** The stages of a decision, in order, by what the rules of a policy need to know. */
export const policyStages = ['request', 'account', 'cost', 'hold'] as const;
export type PolicyStage = (typeof policyStages)[number];

/** Rule ids of the service's own steps, in the order in which a sponsorship passes them. */
const stepIds = [
  'paymaster',
  'api-key',
  'operation',
  'policy',
  'mode',
  'lifetime',
  'fee-token',
  'decode',
  'ticket',
  'operator-gas-price',
  'funding-wallet',
  'chain',
  'chain-gas-price',
  'signer',
  'token-price',
  'webhook',
  'gas-limits',
  'gas-guard',
  'account',
  'operation-gas',
  'contract-state',
  'quote',
  'token-payment',
  'operator-cost',
  'coin-price',
  'operator-holds',
  'operator-unpaid',
  'gas-tank',
  'upstream',
  'bundler',
] as const;
export type StepId = (typeof stepIds)[number];
