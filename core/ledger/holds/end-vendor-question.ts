import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Database } from '../../store/database.ts';
import type { DecisionRow } from '../../store/decision-tables.ts';
import { type StoredHold, writeSome } from '../../store/hold-fields.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import type { VendorUse } from '../../store/vendor-use.ts';
import { countedHold, followHolds, readHolds } from '../accounts/follow-holds.ts';
import { answerKey, type VendorReservation } from './hold-request.ts';
import { keepTerms } from './hold-rows.ts';

/** A question that a reservation was made for, and its hold. */
type VendorQuestion = { readonly holdId: number; readonly reservation: VendorReservation };

/** An answer as JSON, the request it is repeated for and until when (Unix seconds), and the decision's record. */
type KeptAnswer = {
  readonly requestKey: string;
  readonly answer: string;
  readonly validUntil: number;
  readonly decision: DecisionRow | undefined;
};

/** How questions to another paymaster end. */
export type VendorQuestions = {
  /**
   * Stores an answer before it is returned: from then on limits count the hold permanently. False when the hold has ended
   * meanwhile, in which case the answer must not be returned.
   */
  keepAnswer(question: VendorQuestion, kept: KeptAnswer): Promise<boolean>;
  /** Releases what was set aside for a question that was not answered. */
  giveBack(question: VendorQuestion): Promise<void>;
};

export function createVendorQuestions(store: Store, clock: Clock): VendorQuestions {
  const now = () => unixSeconds(clock);
  return {
    keepAnswer: (question, kept) => store.transaction((transaction) => keepAnswer(transaction, question, kept, now())),
    giveBack: (question) => store.transaction((transaction) => giveBack(transaction, question, now())),
  };
}

async function keepAnswer(
  transaction: Transaction<Database>,
  { holdId }: VendorQuestion,
  { requestKey, answer, validUntil, decision }: KeptAnswer,
  now: number,
): Promise<boolean> {
  const found = await findAsked(transaction, holdId);
  if (found?.hold.state !== 'live') return false;
  const { hold, use } = found;
  const changed = { vendorSigned: true, vendorUse: { ...use, answered: use.reserved, askedUntil: 0 } };
  await changeHold(transaction, hold, changed, now);
  await runTogether(
    transaction,
    keepTerms([
      {
        request_key: answerKey(requestKey),
        hold_id: holdId,
        valid_until: validUntil,
        terms: answer,
        token: null,
        token_most: null,
      },
    ]),
  );
  if (decision !== undefined) {
    const { decision_id, record, reasons } = decision;
    await transaction
      .updateTable('decisions')
      .set({ record, reasons })
      .where('decision_id', '=', decision_id)
      .execute();
  }
  return true;
}

async function giveBack(
  transaction: Transaction<Database>,
  { holdId, reservation }: VendorQuestion,
  now: number,
): Promise<void> {
  const found = await findAsked(transaction, holdId);
  // One that took too long may have been asked again: then what was set aside is for the later question.
  if (found === undefined || found.use.askedUntil !== reservation.askedUntil) return;
  const reserved = found.use.reserved - reservation.added;
  const changed = { vendorUse: { ...found.use, reserved, askedUntil: 0 } };
  await changeHold(transaction, found.hold, changed, now);
}

type Asked = { readonly hold: StoredHold; readonly use: VendorUse };

async function findAsked(transaction: Transaction<Database>, holdId: number): Promise<Asked | undefined> {
  const { holds } = await readHolds(transaction, [holdId]);
  const [hold] = holds;
  if (hold?.vendorUse === undefined) return undefined;
  return { hold, use: hold.vendorUse };
}

/** Changes a hold and has its accounts follow. */
async function changeHold(
  transaction: Transaction<Database>,
  hold: StoredHold,
  changed: { readonly vendorUse: VendorUse; readonly vendorSigned?: boolean },
  now: number,
): Promise<void> {
  await transaction.updateTable('holds').set(writeSome(changed)).where('hold_id', '=', hold.holdId).execute();
  const move = { before: countedHold(hold), after: countedHold({ ...hold, ...changed }) };
  await runTogether<readonly unknown[]>(transaction, ...(await followHolds(transaction, [move], now)));
}
