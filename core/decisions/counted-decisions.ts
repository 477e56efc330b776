import { type Kysely, sql } from 'kysely';
import type { DecisionOutcome, SettlementState } from '../domain/decision.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';

/** A decision as usage counts it. `calls` is JSON of `DecidedCall`s; the five from `state` on but the last are those of its hold. */
export type CountedDecision = {
  readonly decision_number: number;
  readonly paymaster_id: string;
  readonly outcome: DecisionOutcome;
  readonly created_at: number;
  readonly sender: string | null;
  readonly token: string | null;
  readonly calls: string | null;
  readonly state: SettlementState | null;
  readonly amount: string | null;
  readonly charge: string | null;
  readonly charge_usd: number | null;
  /** Whether it is the last signature of its hold, which the hold's cost is counted with. */
  readonly isLast: 0 | 1;
};

/** Selects decisions for counting, as if there were none with a higher number than `upTo`. */
export function countedDecisions(db: Kysely<Database>, upTo: number) {
  return db
    .selectFrom('decisions as decision')
    .leftJoin('holds as hold', 'hold.hold_id', 'decision.hold_id')
    .select((eb) => [
      'decision.decision_number',
      'decision.paymaster_id',
      'decision.outcome',
      'decision.created_at',
      'decision.sender',
      'decision.token',
      dialectOf(db).callsIn(sql`decision.record`).as('calls'),
      'hold.state',
      'hold.amount',
      'hold.charge',
      'hold.charge_usd',
      eb
        .not(
          eb.exists(
            eb
              .selectFrom('decisions as later')
              .select('later.decision_number')
              .whereRef('later.hold_id', '=', 'decision.hold_id')
              .whereRef('later.decision_number', '>', 'decision.decision_number')
              .where('later.decision_number', '<=', upTo)
              .where('later.outcome', '=', 'signed'),
          ),
        )
        .$castTo<0 | 1>()
        .as('isLast'),
    ]);
}
