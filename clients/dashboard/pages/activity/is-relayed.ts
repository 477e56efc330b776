import type { DecisionItem } from '@tollfree/contract/decision-fields';

/** Whether an operation goes to the operator's bundler without a paymaster contract. */
export function isRelayed({ method }: Pick<DecisionItem, 'method'>): boolean {
  return method === 'tollfree_relayUserOperation' || method === 'tollfree_prepareRelay';
}
