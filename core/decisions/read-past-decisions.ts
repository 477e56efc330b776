import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import { getAddress } from 'viem';
import { inOwnTurns } from '../base/time/in-own-turn.ts';
import type { DecisionMethod, TraceStep } from '../domain/decision.ts';
import { type SponsorshipReason, sponsorshipReasons } from '../domain/result/refusal.ts';
import { sponsorshipModes } from '../domain/sponsorship.ts';
import { relayMethods } from '../ledger/usage/usage-keys.ts';
import type { PolicyKey } from '../policies/policy-key.ts';
import type { PastDecision } from '../policies/preview-policy.ts';
import { isPolicyRule } from '../policies/rules/policy-rules.ts';
import type { Database } from '../store/database.ts';
import { fromWeiText } from '../store/wei.ts';
import { decidedMs } from './decision-draft.ts';
import { decodeDecisionRecord } from './decision-record.ts';

/** The methods that answer with a signature, or relay. */
const signingMethods: readonly DecisionMethod[] = [
  'getFeeQuoteOrData',
  'sponsorUserOperation',
  'getPaymasterData',
  'relayUserOperation',
];

/** How far back a preview reads. Reading further would be too expensive for a paymaster with many other refusals. */
const newestDecisions = 20_000;

/** The reasons of refusals by a policy's rules. */
const policyReasons: readonly SponsorshipReason[] = [
  'NO_POLICIES',
  'CONTRACT_NOT_REGISTERED',
  'METHOD_NOT_WHITELISTED',
  'ARGUMENT_NOT_ALLOWED',
  'ACCOUNT_NOT_KNOWN',
  'SENDER_BLOCKED',
  'TICKET_REQUIRED',
  'LIMIT_EXCEEDED',
  'GAS_PRICE_TOO_HIGH',
  'RELAY_REQUIRED',
  'RELAY_NOT_ALLOWED',
  'TOKEN_NOT_SUPPORTED',
];

/** Decisions that one statement finds: between two of them another reader has its turn. */
const findAtOnce = 500;

/**
 * Decisions that are in memory at once. The event loop waits while the collector of garbage copies what is in use: 40 ms for a
 * thousand decisions.
 */
const readAtOnce = 100;

/** How many of the last decisions, and from when on, in Unix seconds. */
type Wanted = { readonly last: number; readonly since?: number };

/**
 * The last decisions of a paymaster that depended on a policy, among its newest ones: a few at a time, oldest first. Excludes those
 * refused by the operator's caps, which have the same reasons.
 */
export async function* readPastDecisions(
  db: Kysely<Database>,
  { accountId, ...key }: PolicyKey & { readonly accountId: string },
  { last, since = 0, within = newestDecisions }: Wanted & { readonly within?: number },
): AsyncGenerator<readonly PastDecision[], void> {
  const numbers = await findPast(db, key, { last, since, within });
  for (let start = 0; start < numbers.length; start += readAtOnce) {
    const rows = await selectFacts(db, numbers.slice(start, start + readAtOnce));
    yield inOwnTurns(accountId, decodePast(rows.sort(byTime)));
  }
}

/** The numbers of the decisions, in the order of time. */
async function findPast(
  db: Kysely<Database>,
  { paymasterId, policyId }: PolicyKey,
  { last, since = 0, within }: Wanted & { readonly within: number },
): Promise<readonly number[]> {
  const floor = await findFloor(db, paymasterId, within);
  const found: Timed[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let left = last; left > 0; ) {
    const size = Math.min(left, findAtOnce);
    const rows = await db
      .selectFrom('decisions')
      .select(['decision_number', 'decision_id', 'created_at'])
      .where('paymaster_id', '=', paymasterId)
      .where('policy_id', '=', policyId)
      .where('mode', 'is not', null)
      .where('method', 'in', signingMethods)
      .where(({ eb, and, or }) =>
        or([eb('outcome', '=', 'signed'), and([eb('outcome', '=', 'refused'), eb('reason', 'in', policyReasons)])]),
      )
      .where('created_at', '>=', since)
      .where('decision_number', '<', before)
      .where('decision_number', '>', floor)
      .orderBy('decision_number', 'desc')
      .limit(size)
      .execute();
    found.push(...rows);
    left = rows.length < size ? 0 : left - size;
    before = rows.at(-1)?.decision_number ?? 0;
  }
  return found.sort(byTime).map(({ decision_number }) => decision_number);
}

type Timed = { readonly decision_number: number; readonly decision_id: string; readonly created_at: number };

/** A refusal is written a moment after its answer, so numbers alone are not in the order of time. */
function byTime(one: Timed, other: Timed): number {
  const [first, second] = [one, other].map((row) => decidedMs(row.decision_id, row.created_at));
  return (first ?? 0) - (second ?? 0) || one.decision_number - other.decision_number;
}

/** The number of the newest decision that is too old to be read; 0 if there is none. */
async function findFloor(db: Kysely<Database>, paymasterId: string, within: number): Promise<number> {
  const row = await db
    .selectFrom('decisions')
    .select('decision_number')
    .where('paymaster_id', '=', paymasterId)
    .orderBy('decision_number', 'desc')
    .limit(1)
    .offset(within)
    .executeTakeFirst();
  return row?.decision_number ?? 0;
}

function selectFacts(db: Kysely<Database>, numbers: readonly number[]) {
  return db
    .selectFrom('decisions')
    .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
    .select([
      'decisions.decision_number',
      'decisions.decision_id',
      'decisions.method',
      'decisions.outcome',
      'decisions.reason',
      'decisions.sender',
      'decisions.nonce',
      'decisions.record',
      'decisions.reasons',
      'decisions.mode',
      'decisions.token',
      'decisions.created_at',
      'holds.state',
      'holds.vendor',
      'holds.charge',
      ({ selectFrom }) =>
        selectFrom('decisions as signed')
          .select(({ fn }) => fn.max('signed.decision_number').as('last'))
          .whereRef('signed.hold_id', '=', 'decisions.hold_id')
          .where('signed.outcome', '=', 'signed')
          .as('last_signed'),
    ])
    .where('decisions.decision_number', 'in', numbers)
    .execute();
}

type PastRow = Awaited<ReturnType<typeof selectFacts>>[number];

/** Unpacking a record takes about 0.3 ms. */
function* decodePast(rows: readonly PastRow[]): Generator<void, readonly PastDecision[]> {
  const past: PastDecision[] = [];
  for (const row of rows) {
    const decision = toPastDecision(row);
    if (decision !== undefined) past.push(decision);
    yield;
  }
  return past;
}

/** Undefined if it did not depend on the policy, or does not say enough to decide again. */
function toPastDecision(row: PastRow): PastDecision | undefined {
  const { message = '', facts, contents = [], trace } = decodeDecisionRecord(row, row.decision_id);
  const mode = sponsorshipModes.find((known) => known === row.mode);
  if (row.sender === null || row.nonce === null || mode === undefined || facts === undefined) return undefined;
  // A hold has one charge, whatever number of decisions signed for it.
  const charge = row.last_signed === row.decision_number ? row.charge : null;
  const decision = {
    decisionId: row.decision_id,
    decidedAt: row.created_at,
    sender: getAddress(row.sender),
    nonce: BigInt(row.nonce),
    mode,
    payer: relayMethods.has(row.method) ? ('RELAY' as const) : ('CONTRACT' as const),
    ...omitAbsent({
      token: row.token === null ? undefined : getAddress(row.token),
      charge: charge === null ? undefined : fromWeiText(charge),
    }),
    facts,
    contents,
    released: row.state === 'released' && row.vendor !== 1,
  };
  if (row.outcome === 'signed') return decision;
  const rule = refusingRule(trace);
  const reason = sponsorshipReasons.find((known) => known === row.reason);
  return rule === undefined || reason === undefined ? undefined : { ...decision, refused: { reason, rule, message } };
}

/** The policy rule that refused; undefined if another rule did. */
function refusingRule(trace: readonly TraceStep[]): string | undefined {
  const rule = trace.findLast(({ verdict }) => verdict === 'refused')?.rule;
  return rule !== undefined && isPolicyRule(rule) ? rule : undefined;
}
