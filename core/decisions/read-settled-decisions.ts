import type { Decision } from '../domain/decision.ts';
import { readTokenPayments } from '../ledger/posting/read-token-payments.ts';
import type { Store } from '../store/store.ts';
import { type StoredDecision, toDecision } from './stored-decision.ts';

/** Decisions in the form of `Core`, each with its outcome. */
export async function readSettledDecisions(
  { db }: Store,
  rows: readonly StoredDecision[],
): Promise<readonly Decision[]> {
  const inTokens = rows.flatMap(({ mode, hold_id }) => (mode === 'ERC20' && hold_id !== null ? [hold_id] : []));
  const payments = await readTokenPayments(db, [...new Set(inTokens)]);
  return rows.map((row) => toDecision(row, row.hold_id === null ? undefined : payments.get(row.hold_id)));
}
