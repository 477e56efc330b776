import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { OperationStatus } from '@tollfree/contract/operation-status';

export type Operation = {
  readonly status: OperationStatus;
  /** The request that counts: the signature if there is one. */
  readonly decision: DecisionItem;
  /** All requests for it, newest first. */
  readonly requests: readonly DecisionItem[];
};

/** Requests of one sender with one nonce as one operation, since only one of them can land. Newest first, as they come. */
export function foldOperations(decisions: readonly DecisionItem[]): readonly Operation[] {
  const groups = new Map<string, DecisionItem[]>();
  for (const decision of decisions) {
    const { sender, nonce, decisionId } = decision;
    const key = sender === undefined || nonce === undefined ? decisionId : `${sender} ${nonce}`;
    groups.set(key, [...(groups.get(key) ?? []), decision]);
  }
  return [...groups.values()].flatMap((requests) => {
    const decision =
      requests.find((request) => hasLanded(statusOf(request))) ??
      requests.find((request) => statusOf(request) === 'sent') ??
      requests.find(({ outcome }) => outcome === 'signed') ??
      requests.find(({ outcome }) => outcome === 'refused') ??
      requests[0];
    return decision === undefined ? [] : [{ status: statusOf(decision), decision, requests }];
  });
}

function hasLanded(status: OperationStatus): boolean {
  return status === 'included' || status === 'failed';
}

/** How far the operation of a request came. A core of an earlier version does not say: then what was answered. */
export function statusOf({ status, outcome }: DecisionItem): OperationStatus {
  return status ?? (outcome === 'stub' ? 'quoted' : outcome);
}

/** Whether an operation goes to the operator's bundler without a paymaster contract. */
export function isRelayed({ method }: Pick<DecisionItem, 'method'>): boolean {
  return method === 'tollfree_relayUserOperation' || method === 'tollfree_prepareRelay';
}
