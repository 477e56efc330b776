import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { OperationStatus } from '@tollfree/contract/operation-status';

/** What shows how far a request got. */
type Request = Pick<DecisionItem, 'decisionId' | 'outcome' | 'status' | 'sender' | 'nonce'>;

export type Operation<Each extends Request = DecisionItem> = {
  readonly status: OperationStatus;
  /** The most relevant request: the signature if there is one. */
  readonly decision: Each;
  /** All requests for it, newest first. */
  readonly requests: readonly Each[];
};

/** Sender and nonce, of which only one operation can land. A request without them stands alone. */
export function operationKey({ sender, nonce, decisionId }: Request): string {
  return sender === undefined || nonce === undefined ? decisionId : `${sender} ${nonce}`;
}

/** Groups requests with the same sender and nonce into one operation, since only one of them can land. Newest first. */
export function foldOperations<Each extends Request>(decisions: readonly Each[]): readonly Operation<Each>[] {
  const groups = new Map<string, Each[]>();
  for (const decision of decisions) {
    const key = operationKey(decision);
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

/**
 * Operations that are shown, in their order, with what newer requests for them say; and the operations that are not shown yet.
 */
export function addNewer<Each extends Request>(
  shown: readonly Operation<Each>[],
  newer: readonly Each[],
): { readonly shown: readonly Operation<Each>[]; readonly unseen: readonly Operation<Each>[] } {
  const known = new Set(shown.flatMap(({ requests }) => requests.map(({ decisionId }) => decisionId)));
  const added = foldOperations(newer.filter(({ decisionId }) => !known.has(decisionId)));
  const byKey = new Map(added.map((each) => [operationKey(each.decision), each]));
  const keys = new Set(shown.map(({ decision }) => operationKey(decision)));
  return {
    shown: shown.map((each) => {
      const later = byKey.get(operationKey(each.decision));
      return later === undefined ? each : (foldOperations([...later.requests, ...each.requests])[0] ?? each);
    }),
    unseen: added.filter(({ decision }) => !keys.has(operationKey(decision))),
  };
}

function hasLanded(status: OperationStatus): boolean {
  return status === 'included' || status === 'failed';
}

/** How far a request's operation got. An earlier core version does not report it; then the answer is shown. */
export function statusOf({ status, outcome }: Pick<DecisionItem, 'status' | 'outcome'>): OperationStatus {
  return status ?? (outcome === 'stub' ? 'quoted' : outcome);
}

const relayMethods = new Set(['tollfree_relayUserOperation', 'tollfree_prepareRelay']);

/** Whether an operation goes to the operator's bundler, without a paymaster contract. */
export function isRelayed({ method }: Pick<DecisionItem, 'method'>): boolean {
  return relayMethods.has(method);
}
