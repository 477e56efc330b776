import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { OperationStatus } from '@tollfree/contract/operation-status';
import { type InferResult, type Kysely, sql } from 'kysely';
import { type Address, getAddress, type Hex } from 'viem';
import { inOwnTurns } from '../base/time/in-own-turn.ts';
import type { Owned } from '../domain/access/actor.ts';
import type { Decision, DecisionMethod, Payer, Settlement } from '../domain/decision.ts';
import type { OverviewDecision } from '../domain/overview.ts';
import type { RefusalReason } from '../domain/result/refusal.ts';
import { notReversed } from '../ledger/reversals.ts';
import { relayMethods } from '../ledger/usage/usage-keys.ts';
import { currentReader } from '../store/current-reader.ts';
import type { Database } from '../store/database.ts';
import { ownPaymasterId } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText } from '../store/wei.ts';
import { decidedMs } from './decision-draft.ts';
import { decodeDecisionRecord, decodeShownRecord } from './decision-record.ts';
import { withContents } from './request-record.ts';

/** The paymaster's decisions with the outcomes of their holds. */
export function selectDecisions(db: Kysely<Database>, owned: Owned) {
  return selectAnyDecisions(db).where('decisions.paymaster_id', '=', ownPaymasterId(db, owned));
}

/** Decisions of all paymasters with the outcomes of their holds, for a caller that restricts them. */
export function selectAnyDecisions(db: Kysely<Database>) {
  return db
    .selectFrom('decisions')
    .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
    .leftJoin('signatures', (join) =>
      join
        .onRef('signatures.hold_id', '=', 'decisions.hold_id')
        .onRef('signatures.decision_id', '=', 'decisions.decision_id')
        .on('signatures.is_content_id', '=', 0),
    )
    .select(['signatures.user_operation_hash', statusOfDecision.as('status')])
    .select([
      'decisions.decision_number',
      'decisions.decision_id',
      'decisions.chain_id',
      'decisions.method',
      'decisions.outcome',
      'decisions.mode',
      'decisions.reason',
      'decisions.sender',
      'decisions.nonce',
      'decisions.token',
      'decisions.policy_id',
      'decisions.record',
      'decisions.reasons',
      'decisions.created_at',
      'decisions.hold_id',
      'holds.state',
      'holds.amount',
      'holds.charge',
      'holds.success',
      'holds.landed_tx',
      'holds.unpaid',
      'holds.vendor',
    ]);
}

/** A decision with its hold, as they are selected. */
export type StoredDecision = InferResult<ReturnType<typeof selectAnyDecisions>>[number];

/** What the columns of a stored decision say. The service wrote their short texts itself, so their form is known. */
function readColumns(row: StoredDecision, tokenPayment: Settlement['tokenPayment']) {
  return {
    decisionId: row.decision_id,
    decidedAt: row.created_at,
    method: row.method as DecisionMethod,
    chainId: row.chain_id,
    outcome: row.outcome,
    status: row.status,
    ...(row.user_operation_hash === null ? {} : { userOperationHash: row.user_operation_hash as Hex }),
    ...(row.mode === null ? {} : { mode: row.mode }),
    ...(row.policy_id === '' ? {} : { policyId: row.policy_id }),
    ...(row.reason === null ? {} : { reason: row.reason as RefusalReason }),
    ...(row.sender === null ? {} : { sender: row.sender as Address }),
    ...(row.nonce === null ? {} : { nonce: BigInt(row.nonce) }),
    ...(row.token === null ? {} : { token: row.token as Address }),
    ...omitAbsent({ settlement: toSettlement(row, tokenPayment) }),
  };
}

function toDecision(row: StoredDecision, tokenPayment: Settlement['tokenPayment']): Decision {
  const { message, facts: recorded, contents, trace } = decodeDecisionRecord(row, row.decision_id);
  const facts = recorded && withContents(recorded, contents);
  return { ...readColumns(row, tokenPayment), ...omitAbsent({ message, facts }), trace };
}

type StoredOverviewDecision = StoredDecision & { readonly paymaster_id: string };

function toOverviewDecision(row: StoredOverviewDecision, tokenPayment: Settlement['tokenPayment']): OverviewDecision {
  return {
    ...readColumns(row, tokenPayment),
    ...decodeShownRecord(row, row.decision_id),
    paymasterId: row.paymaster_id,
  };
}

function toSettlement(row: StoredDecision, tokenPayment: Settlement['tokenPayment']): Settlement | undefined {
  if (row.state === null || row.amount === null) return undefined;
  return {
    state: row.state,
    payer: payerOf(row),
    held: fromWeiText(row.amount),
    ...(row.charge === null ? {} : { charge: fromWeiText(row.charge) }),
    ...(row.success === null ? {} : { success: row.success === 1 }),
    ...(row.landed_tx === null ? {} : { txHash: row.landed_tx as Hex }),
    ...omitAbsent({ tokenPayment }),
    ...(row.unpaid !== null && row.mode === 'ERC20' ? { unpaid: true } : {}),
  };
}

/** If our own tank has paid, no other paymaster has: the nonce lands once. */
function payerOf({ vendor, state, method }: StoredDecision): Payer {
  if (vendor === 1 && state !== 'settled') return 'VENDOR';
  return relayMethods.has(method) ? 'RELAY' : 'CONTRACT';
}

type Db = Pick<Store, 'db'>;

/** Decisions in the form of `Core`, each with its outcome, newest first. */
export function readSettledDecisions(store: Db, rows: readonly StoredDecision[]): Promise<readonly Decision[]> {
  return readSettled(store, rows, toDecision);
}

/** Decisions with their outcomes, newest first, without facts and trace, which are not even decoded. */
export function readOverviewDecisions(
  store: Db,
  rows: readonly StoredOverviewDecision[],
): Promise<readonly OverviewDecision[]> {
  return readSettled(store, rows, toOverviewDecision);
}

async function readSettled<Row extends StoredDecision, Item>(
  { db }: Db,
  rows: readonly Row[],
  toItem: (row: Row, tokenPayment: Settlement['tokenPayment']) => Item,
): Promise<readonly Item[]> {
  const inTokens = rows.flatMap(({ mode, hold_id }) => (mode === 'ERC20' && hold_id !== null ? [hold_id] : []));
  const payments = await readTokenPayments(db, [...new Set(inTokens)]);
  /** Unpacking one takes about 0.3 ms, and a page can have 200. */
  function* decode(): Generator<void, readonly Item[]> {
    const items: Item[] = [];
    for (const row of rows.toSorted(newestFirst)) {
      items.push(toItem(row, row.hold_id === null ? undefined : payments.get(row.hold_id)));
      yield;
    }
    return items;
  }
  return inOwnTurns(currentReader().accountId ?? '', decode());
}

/** A refusal is written a moment after its answer, and may have a higher number than what was signed meanwhile. */
function newestFirst(one: StoredDecision, other: StoredDecision): number {
  const later = decidedMs(other.decision_id, other.created_at) - decidedMs(one.decision_id, one.created_at);
  return later === 0 ? other.decision_number - one.decision_number : later;
}

/**
 * How far a signed operation got, in SQL over its row of `signatures` (null if the hash is unknown) and of `holds`. The only
 * derivation: everything that shows or filters by a status uses it.
 *
 * An operation lands by its own hash; with another hash, another operation has used the nonce. Without a landing it was
 * dropped if a bundler is known to have had it. Rows of earlier versions do not say why they were released: they count as
 * expired.
 */
export const statusOfSigned = sql<OperationStatus>`CASE
  WHEN holds.state = 'live' OR holds.state IS NULL THEN CASE WHEN ${wasSent()} THEN 'sent' ELSE 'signed' END
  WHEN holds.landed_hash <> signatures.user_operation_hash THEN 'replaced'
  WHEN holds.state = 'settled' THEN CASE WHEN holds.success = 0 THEN 'failed' ELSE 'included' END
  WHEN holds.released_because = 'replaced' THEN 'replaced'
  WHEN ${wasSent()} THEN 'dropped'
  WHEN holds.released_because = 'operator' THEN 'released'
  ELSE 'expired' END`;

/** How far the operation of a decision got, in SQL over its rows of `decisions`, `signatures` and `holds`. */
export const statusOfDecision = sql<OperationStatus>`CASE
  WHEN decisions.outcome = 'refused' THEN 'refused'
  WHEN decisions.outcome <> 'signed' THEN 'quoted'
  ELSE ${statusOfSigned} END`;

/**
 * For a decision that was not the first to answer with its signature: whether any operation of its hold was sent. By an aggregate,
 * which a server looks up for each row; for `EXISTS` it may read all signatures instead.
 */
function wasSent() {
  return sql`(signatures.sent_at IS NOT NULL OR (signatures.user_operation_hash IS NULL AND (
    SELECT max(other.sent_at) FROM signatures AS other WHERE other.hold_id = holds.hold_id) IS NOT NULL))`;
}

/** A token and how many base units of it a user paid. */
type TokenPayment = { readonly token: Address; readonly amount: bigint };

/** Holds per query. */
const maxAtOnce = 500;

/** What users paid in tokens for the operations of these holds; holds without a payment are missing from the result. */
export async function readTokenPayments(
  db: Pick<Store['db'], 'selectFrom'>,
  holdIds: readonly number[],
): Promise<ReadonlyMap<number, TokenPayment>> {
  const payments = new Map<number, TokenPayment>();
  for (let start = 0; start < holdIds.length; start += maxAtOnce) {
    const rows = await db
      .selectFrom('token_payments')
      .select(['hold_id', 'token', 'amount'])
      .where('hold_id', 'in', holdIds.slice(start, start + maxAtOnce))
      .where(notReversed('token_payments', 'token_payment_id'))
      .execute();
    for (const { hold_id, token, amount } of rows) {
      if (hold_id !== null) payments.set(hold_id, { token: getAddress(token), amount: BigInt(amount) });
    }
  }
  return payments;
}
