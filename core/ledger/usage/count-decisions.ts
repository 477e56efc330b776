import type { Transaction } from 'kysely';
import type { DecisionOutcome } from '../../domain/decision.ts';
import type { Database } from '../../store/database.ts';
import type { DecisionRow } from '../../store/decision-tables.ts';
import type { WrittenColumn } from '../../store/dialect-of.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { toWeiText } from '../../store/wei.ts';
import { type KeyedDecision, type UsageSumKey, usageKeys } from './usage-keys.ts';

type OutcomeOfDecision = KeyedDecision & { readonly paymaster_id: string; readonly outcome: DecisionOutcome };

const plus = (column: DecisionOutcome) => `${column} = usage_sums.${column} + excluded.${column}`;
const addToSums = insertRows(
  'usage_sums',
  {
    ...({ paymaster_id: 'text', dimension: 'text', span_days: 'number', day: 'number', key: 'text' } as const),
    ...({ signed: 'number', quoted: 'number', stub: 'number', refused: 'number' } as const),
    ...({ landed: 'number', charge: 'text', priced: 'number', usd_micros: 'number' } as const),
  },
  {
    onConflict: `(paymaster_id, dimension, span_days, day, key) DO UPDATE SET
      ${plus('signed')}, ${plus('quoted')}, ${plus('stub')}, ${plus('refused')}`,
  },
);

/** Adds decisions to the sums of usage, each by its outcome; in one statement, no matter how many they are. */
export async function countDecisions(
  transaction: Transaction<Database>,
  decisions: readonly OutcomeOfDecision[],
): Promise<void> {
  if (decisions.length > 0) await runTogether(transaction, decisionCounts(decisions));
}

/** What {@link countDecisions} writes. */
export function decisionCounts(decisions: readonly OutcomeOfDecision[]): Statement<unknown> {
  const charge = toWeiText(0n);
  return addToSums(
    [...addUp(decisions).values()].map(({ paymasterId, key, counts }) => ({
      paymaster_id: paymasterId,
      dimension: key.dimension,
      span_days: key.span_days,
      day: key.day,
      key: key.key,
      signed: counts.signed,
      quoted: counts.quoted,
      stub: counts.stub,
      refused: counts.refused,
      landed: 0,
      charge,
      priced: 0,
      usd_micros: 0,
    })),
  );
}

type Counted = {
  readonly paymasterId: string;
  readonly key: UsageSumKey;
  readonly counts: Record<DecisionOutcome, number>;
};

/** Grouped by sum. */
function addUp(decisions: readonly OutcomeOfDecision[]): ReadonlyMap<string, Counted> {
  const sums = new Map<string, Counted>();
  for (const decision of decisions) {
    const { paymaster_id: paymasterId, outcome } = decision;
    for (const key of usageKeys(decision)) {
      const identity = `${paymasterId} ${key.dimension} ${key.span_days} ${key.day} ${key.key}`;
      const known = sums.get(identity) ?? { paymasterId, key, counts: { signed: 0, quoted: 0, stub: 0, refused: 0 } };
      known.counts[outcome] += 1;
      sums.set(identity, known);
    }
  }
  return sums;
}

/** Earlier versions wrote `request`, which is in `reasons` now. */
type Column = Exclude<keyof DecisionRow, 'decision_number' | 'called' | 'request'>;

const insert = insertRows('decisions', {
  ...{ decision_id: 'text', paymaster_id: 'text', chain_id: 'number', method: 'text', outcome: 'text' },
  ...{ mode: 'text', reason: 'text', sender: 'text', nonce: 'text', token: 'text', hold_id: 'number' },
  ...{ record: 'text', reasons: 'bytes', created_at: 'number', policy_id: 'text' },
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
      reasons: row.reasons ?? null,
      created_at: row.created_at,
      policy_id: row.policy_id ?? '',
    })),
  );
}
