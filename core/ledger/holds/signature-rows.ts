import { insertRows } from '../../store/statements/row-statements.ts';

/** A signed operation, by its hash or what it carries (`is_name`), and the hold it belongs to. */
export type SignatureRow = {
  readonly user_operation_hash: string;
  readonly hold_id: number;
  readonly created_at: number;
  readonly at_risk: 0 | 1;
  readonly simulated: 0 | 1;
  readonly decision_id: string | null;
  readonly is_name: 0 | 1;
};

/** Leaves alone what is there already. */
export const insertSignatures = insertRows(
  'signatures',
  {
    ...{ user_operation_hash: 'text', hold_id: 'number', created_at: 'number', at_risk: 'number' },
    ...{ simulated: 'number', decision_id: 'text', is_name: 'number' },
  },
  { onConflict: '(hold_id, user_operation_hash) DO NOTHING' },
);
