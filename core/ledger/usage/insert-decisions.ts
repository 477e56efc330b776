import type { DecisionRow } from '../../store/decision-tables.ts';
import type { WrittenColumn } from '../../store/dialect.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';

/** Earlier versions wrote `request`, which is in `reasons` now. */
type Column = Exclude<keyof DecisionRow, 'decision_number' | 'called' | 'request'>;

const insert = insertRows('decisions', {
  ...{ decision_id: 'text', paymaster_id: 'text', chain_id: 'number', method: 'text', outcome: 'text' },
  ...{ mode: 'text', reason: 'text', sender: 'text', nonce: 'text', token: 'text', hold_id: 'number' },
  ...{ record: 'text', reasons: 'bytes', created_at: 'number', policy_id: 'text' },
} satisfies Record<Column, WrittenColumn>);

const absent = {
  mode: null,
  reason: null,
  sender: null,
  nonce: null,
  token: null,
  hold_id: null,
  reasons: null,
};

export function insertDecisions(rows: readonly DecisionRow[]): Statement<unknown> {
  return insert(rows.map(({ policy_id = '', ...row }) => ({ ...absent, ...row, policy_id })));
}
