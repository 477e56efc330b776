import type { DecisionRow } from '../../store/decision-tables.ts';
import type { Store } from '../../store/store.ts';
import type { UpstreamReservation } from './hold-request.ts';
import { addToUpstreamSums, ofChain, ofClient } from './upstream-working-set.ts';

/** A question that a reservation was made for, and its hold. */
export type UpstreamQuestion = {
  readonly holdId: number;
  readonly chainId: number;
  readonly paymasterId: string;
  readonly client?: string;
  readonly reservation: UpstreamReservation;
};

/** An answer as JSON, the request it is repeated for, and the decision's record. */
type KeptAnswer = {
  readonly requestKey: string;
  readonly answer: string;
  readonly decision: DecisionRow | undefined;
};

/** How questions to a second paymaster end. */
export type UpstreamQuestions = {
  keepAnswer(question: UpstreamQuestion, kept: KeptAnswer): Promise<boolean>;
  giveBack(question: UpstreamQuestion): Promise<void>;
};

export function createUpstreamQuestions(store: Store): UpstreamQuestions {
  return {
    keepAnswer: (question, kept) => keepAnswer(store, question, kept),
    giveBack: (question) => giveBack(store, question),
  };
}

/**
 * Stores an answer before it is returned: from then on limits count the hold permanently. False when the hold has ended
 * meanwhile, in which case the answer must not be returned.
 */
function keepAnswer(
  store: Store,
  { holdId, chainId, paymasterId, reservation }: UpstreamQuestion,
  kept: KeptAnswer,
): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('holds')
      .set({ upstream: 1 })
      .where('hold_id', '=', holdId)
      .where('state', '=', 'live')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const before = await transaction
      .selectFrom('upstream_holds')
      .select('answered')
      .where('hold_id', '=', holdId)
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('upstream_holds')
      .set(({ ref }) => ({
        answered: ref('reserved'),
        asked_until: 0,
        request_key: kept.requestKey,
        answer: kept.answer,
      }))
      .where('hold_id', '=', holdId)
      .execute();
    if (kept.decision !== undefined) {
      const { decision_id, record, reasons } = kept.decision;
      await transaction
        .updateTable('decisions')
        .set({ record, reasons })
        .where('decision_id', '=', decision_id)
        .execute();
    }
    // An operation without a price costs nothing and is still answered only once.
    const isFirst = before.answered === 0;
    const sum = { chainId, day: reservation.day, usdMicros: 0, operations: isFirst ? 1 : 0 };
    await addToUpstreamSums(transaction, [ofChain, paymasterId], sum);
    return true;
  });
}

/** Releases what was set aside for a question that was not answered. */
function giveBack(store: Store, question: UpstreamQuestion): Promise<void> {
  const { holdId, chainId, paymasterId, client, reservation } = question;
  const added = Number(reservation.added);
  return store.transaction(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('upstream_holds')
      .set(({ eb }) => ({ reserved: eb('reserved', '-', added), asked_until: 0 }))
      .where('hold_id', '=', holdId)
      // A question that took too long may have been asked again; then what was set aside belongs to that one.
      .where(({ eb }) => eb(eb('reserved', '-', added), '>=', eb.ref('answered')))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    const sum = { chainId, day: reservation.day, usdMicros: -added, operations: 0 };
    const whose = [ofChain, paymasterId, ...(client === undefined ? [] : [ofClient(client)])];
    await addToUpstreamSums(transaction, whose, sum);
  });
}
