import type { DecisionItem } from '@tollfree/contract/decision-fields';

const columns = {
  time: ({ decidedAt }) => new Date(decidedAt * 1_000).toISOString(),
  decision: ({ decisionId }) => decisionId,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  mode: ({ mode }) => mode,
  way: ({ settlement }) => settlement?.way,
  sender: ({ sender }) => sender,
  nonce: ({ nonce }) => nonce,
  status: ({ status }) => status,
  'held in wei': ({ settlement }) => settlement?.held,
  'charge in wei': ({ settlement }) => settlement?.charge,
  transaction: ({ settlement }) => settlement?.txHash,
  operation: ({ userOperationHash }) => userOperationHash,
} as const satisfies Record<string, (decision: DecisionItem) => string | undefined>;

/** Decisions as CSV (RFC 4180), amounts in wei. Ids, names of lists, addresses and digits need no quotes. */
export function decisionsCsv(decisions: readonly DecisionItem[]): string {
  const rows = decisions.map((decision) => Object.values(columns).map((cell) => cell(decision) ?? ''));
  return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
