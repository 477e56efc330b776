import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { reasonText } from '../../parts/text/chain-name.ts';
import type { Operation } from './fold-operations.ts';

type NameOf = (call: { readonly target: string; readonly selector?: string | undefined }) => {
  readonly contract: string | undefined;
  readonly method: string | undefined;
};

/** Whether an operation has a text, in upper or lower case: in its calls, their names, its hashes, ids or refusals. */
export function hasText(operation: Operation, text: string, nameOf: NameOf): boolean {
  const sought = text.toLowerCase();
  return operation.requests.some((request) =>
    textsOf(request, nameOf).some((each) => each?.toLowerCase().includes(sought)),
  );
}

function textsOf(request: DecisionItem, nameOf: NameOf): readonly (string | undefined)[] {
  const { decisionId, userOperationHash, settlement, sender, reason, message, policyId, token, facts } = request;
  const calls = (facts?.calls ?? []).flatMap(({ target, selector }) => {
    const { contract, method } = nameOf({ target, selector });
    return [target, selector, contract, method];
  });
  return [
    ...[decisionId, userOperationHash, settlement?.txHash, sender, policyId, token],
    ...[reason, reason && reasonText(reason), message],
    ...(facts?.attribution ?? []),
    ...calls,
  ];
}

/** What only one operation has, and the service finds by itself. */
export function isExact(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text) || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
