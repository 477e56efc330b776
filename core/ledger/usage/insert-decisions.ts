import type { DecisionRow } from '../../store/decision-tables.ts';
import type { WrittenColumn } from '../../store/dialect-of.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';

type Column = Exclude<keyof DecisionRow, 'decision_number'>;

const insert = insertRows('decisions', {
  decision_id: 'text',
  paymaster_id: 'text',
  chain_id: 'number',
  method: 'text',
  outcome: 'text',
  mode: 'text',
  reason: 'text',
  sender: 'text',
  nonce: 'text',
  token: 'text',
  hold_id: 'number',
  record: 'text',
  reasons: 'bytes',
  created_at: 'number',
  policy_id: 'text',
  key_number: 'number',
} satisfies Record<Column, WrittenColumn>);

/** Field by field: spreading two objects into a third takes hundreds of times as long, and every answer waits for it. */
export function insertDecisions(rows: readonly DecisionRow[]): Statement<unknown> {
  return insert(
    rows.map((row) => ({
      decision_id: row.decision_id,
      paymaster_id: row.paymaster_id,
      chain_id: row.chain_id,
      method: row.method,
      outcome: row.outcome,
      mode: row.mode ?? null,
      reason: row.reason ?? null,
      sender: row.sender ?? null,
      nonce: row.nonce ?? null,
      token: row.token ?? null,
      hold_id: row.hold_id ?? null,
      record: row.record,
      reasons: row.reasons,
      created_at: row.created_at,
      policy_id: row.policy_id ?? '',
      key_number: row.key_number ?? 0,
    })),
  );
}
