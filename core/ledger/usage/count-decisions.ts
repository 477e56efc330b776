import { sql, type Transaction } from 'kysely';
import type { DecisionOutcome } from '../../domain/decision.ts';
import type { Database } from '../../store/database.ts';
import type { ListedColumns } from '../../store/dialect.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import { type KeyedDecision, type UsageSumKey, usageKeys } from './usage-keys.ts';

export type OutcomeOfDecision = KeyedDecision & { readonly paymaster_id: string; readonly outcome: DecisionOutcome };

const columns: ListedColumns = {
  paymaster_id: 'text',
  dimension: 'text',
  span_days: 'number',
  day: 'number',
  key: 'text',
  signed: 'number',
  quoted: 'number',
  stub: 'number',
  refused: 'number',
};

/** Adds decisions to the sums of usage, each by its outcome. In one statement, however many they are. */
export async function countDecisions(
  transaction: Transaction<Database>,
  decisions: readonly OutcomeOfDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const rows = dialectOf(transaction).rows(columns, [...addUp(decisions).values()].map(toRow));
  const none = toWeiText(0n);
  const plus = (column: DecisionOutcome) => sql`usage_sums.${sql.ref(column)} + excluded.${sql.ref(column)}`;
  await sql`
    INSERT INTO usage_sums
      (paymaster_id, dimension, span_days, day, key, signed, quoted, stub, refused, landed, charge, priced, usd_micros)
    SELECT paymaster_id, dimension, span_days, day, key, signed, quoted, stub, refused, 0, ${none}, 0, 0
    FROM ${rows} AS counted WHERE true
    ON CONFLICT (paymaster_id, dimension, span_days, day, key) DO UPDATE SET
      signed = ${plus('signed')}, quoted = ${plus('quoted')}, stub = ${plus('stub')}, refused = ${plus('refused')}
  `.execute(transaction);
}

type Counted = {
  readonly paymasterId: string;
  readonly key: UsageSumKey;
  readonly counts: Record<DecisionOutcome, number>;
};

/** By sum. */
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

function toRow({ paymasterId, key, counts }: Counted): readonly (string | number)[] {
  const { signed, quoted, stub, refused } = counts;
  return [paymasterId, key.dimension, key.span_days, key.day, key.key, signed, quoted, stub, refused];
}
