import type { Logger } from '../domain/logger.ts';
import type { DecisionRow } from '../store/decision-tables.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind, type WriteBehind } from '../store/write-behind.ts';

/**
 * Keeps the decisions that hold nothing. One that holds is written with its hold, as signed; when nobody signed after that,
 * it is written once more, as refused.
 */
export type DecisionRecorder = WriteBehind<DecisionRow>;

export function createDecisionRecorder(store: Store, logger: Logger): DecisionRecorder {
  return createWriteBehind<DecisionRow>({
    store,
    logger,
    what: 'Decisions',
    insert: async (transaction, rows) => {
      await transaction
        .insertInto('decisions')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .column('decision_id')
            .doUpdateSet(({ ref }) => ({
              outcome: ref('excluded.outcome'),
              reason: ref('excluded.reason'),
              record: ref('excluded.record'),
            }))
            .where('decisions.outcome', '=', 'signed'),
        )
        .execute();
    },
  });
}
