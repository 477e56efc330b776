import type { DecisionItem } from '@tollfree/contract/decision-fields';

/** How far an operation came. */
export const operationStatuses = ['estimated', 'sponsored', 'included', 'failed', 'expired', 'refused'] as const;
export type OperationStatus = (typeof operationStatuses)[number];

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
      requests.find(({ settlement }) => settlement?.state === 'settled') ??
      requests.find(({ outcome }) => outcome === 'signed') ??
      requests.find(({ outcome }) => outcome === 'refused') ??
      requests[0];
    return decision === undefined ? [] : [{ status: statusOf(decision), decision, requests }];
  });
}

/** How far the operation of a request came. */
export function statusOf({ outcome, settlement }: DecisionItem): OperationStatus {
  if (outcome === 'refused') return 'refused';
  if (outcome !== 'signed') return 'estimated';
  if (settlement?.state === 'released') return 'expired';
  if (settlement?.state !== 'settled') return 'sponsored';
  return settlement.success === false ? 'failed' : 'included';
}
