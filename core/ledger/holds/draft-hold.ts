import { sql } from 'kysely';
import { z } from 'zod';
import type { CalledCounts } from '../../policies/called-limits.ts';
import { fixedStatement, type Statement, type StatementParts } from '../../store/statements/fixed-statement.ts';
import { fromWeiSum, sumWei, toWeiText } from '../../store/wei.ts';
import { type Legs, noLegs } from '../accounts/legs.ts';
import { type CountedHold, riskIdentities } from '../sums/hold-legs.ts';
import { type HoldRequest, holdIdentity, policyOf, slotOf } from './hold-request.ts';

/** A hold that is being made; `holdId` is set once it is in the store. */
export type DraftHold = CountedHold & {
  holdId: number | undefined;
  readonly policyId: string;
  readonly createdAt: number;
  readonly request: HoldRequest;
  /** Who requested most of it, as a digest of the address; undefined when it is not known. */
  client: string | undefined;
  /** The paymaster's key that requested it first: what is added to it counts for that key. */
  readonly keyNumber: number;
  amount: bigint;
  validUntil: number;
  /** A signature under it is valid longer than most policies allow. */
  lastsLong: boolean;
  /** What the policy's limits count of it, in wei; undefined while it is only in token mode. */
  counted: bigint | undefined;
  /** The minimum that users pay of what is counted, in percent; undefined while they pay nothing of it. */
  userPercent: number | undefined;
  usdMicros: bigint | undefined;
  /** What budgets of the account count of it, in millionths of a USD; undefined while it is not known. */
  worth: bigint | undefined;
  /** How many of its calls the limits of contracts and methods count. */
  calls: CalledCounts;
  legs: Legs;
  /** The ticket user that limits count it for, and the ticket; undefined without one. */
  subject: string | undefined;
  ticket: string | undefined;
  /** How much of it can be lost because the user is charged after the call; undefined when none of it can. */
  atRisk: bigint | undefined;
  /** The keys that sign under it; undefined when not all of them are known. */
  signers: Set<string> | undefined;
  /** An operation in this batch creates its account, with known code. */
  deploys: boolean;
  /** What this batch adds to the amount, in wei. */
  added: bigint;
  changed: boolean;
};

/** The hold of a request that joins none, with nothing in it yet. `createdAt` in Unix seconds. */
export function freshHold(request: HoldRequest, tankId: number, createdAt: number): DraftHold {
  const { tank, client, sender, paymasterId, policyId = '', key, validUntil } = request;
  return {
    holdId: undefined,
    tankId,
    chainId: tank.chainId,
    contract: tank.contract,
    paymasterId,
    policyId,
    sender,
    request,
    client,
    createdAt,
    keyNumber: key?.keyNumber ?? 0,
    isLive: true,
    isGivenBack: false,
    amount: 0n,
    validUntil,
    lastsLong: false,
    counted: undefined,
    userPercent: undefined,
    usdMicros: undefined,
    worth: undefined,
    calls: new Map(),
    legs: noLegs,
    subject: undefined,
    ticket: undefined,
    atRisk: undefined,
    signers: new Set(),
    deploys: false,
    added: 0n,
    changed: true,
  };
}

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, policyOf(request), slotOf(request));
}

const CallsSchema = z.record(z.string(), z.number());

/** The calls of a hold as they are stored; null without any. */
export function writeCalls(calls: CalledCounts): string | null {
  return calls.size === 0 ? null : JSON.stringify(Object.fromEntries(calls));
}

/** Reads what {@link writeCalls} wrote. */
export function readCalls(text: string | null): CalledCounts {
  return new Map(text === null ? [] : Object.entries(CallsSchema.parse(JSON.parse(text))));
}

/** How long an unpaid operation counts, in seconds. */
const countedSeconds = 86_400;

/** Statements that read what counts for those requests of a batch that may end unpaid, each a sum of its risk. `now` in Unix seconds. */
export function risksOf(requests: readonly HoldRequest[], now: number): readonly RiskStatement[] {
  const statements = new Map<string, readonly RiskStatement['statement'][]>();
  for (const request of requests) {
    if (request.unpaidBudget === undefined) continue;
    const { paymaster, sender, client } = riskIdentities(request);
    const asked = { ...request, client: request.client ?? '', since: now - countedSeconds };
    statements.set(paymaster, [openOfPaymaster(asked), unpaidOfPaymaster(asked)]);
    statements.set(sender, [openOfSender(asked), unpaidOfSender(asked)]);
    if (client !== undefined) statements.set(client, [openOfClient(asked)]);
  }
  return [...statements].flatMap(([identity, own]) => own.map((statement) => ({ identity, statement })));
}

type RiskStatement = { readonly identity: string; readonly statement: Statement<{ readonly sum: string | null }> };

/** The answers of the statements as rows, each identity once: with what counts of it, as wei text. */
export function toRisks(
  statements: readonly RiskStatement[],
  answers: readonly (readonly Readonly<Record<string, unknown>>[])[],
) {
  const risks = new Map<string, bigint>();
  for (const [index, { identity }] of statements.entries()) {
    risks.set(
      identity,
      (risks.get(identity) ?? 0n) + fromWeiSum(answers[index]?.[0]?.sum as string | null | undefined),
    );
  }
  return [...risks].map(([identity, sum]) => ({ identity, sum: toWeiText(sum) }));
}

type Asked = {
  readonly paymasterId: string;
  readonly sender: string;
  /** Empty if it counts for no client. */
  readonly client: string;
  readonly since: number;
};

const openOfPaymaster = fixedStatement<Asked>()(openRisk);
const openOfClient = fixedStatement<Asked>()((parts) =>
  openRisk(parts).where(sql<string>`coalesce(client, '')`, '=', parts.value('client')),
);
const openOfSender = fixedStatement<Asked>()((parts) =>
  openRisk(parts)
    .where('sender', '=', parts.value('sender'))
    .where(sql<string>`coalesce(client, '')`, '=', parts.value('client')),
);
const unpaidOfPaymaster = fixedStatement<Asked>()(unpaid);
const unpaidOfSender = fixedStatement<Asked>()((parts) => unpaid(parts).where('sender', '=', parts.value('sender')));

/** What live holds can cost. */
function openRisk({ db, value }: StatementParts<Asked>) {
  return db
    .selectFrom('holds')
    .select(sumWei('at_risk').as('sum'))
    .where('paymaster_id', '=', value('paymasterId'))
    .where('at_risk', 'is not', null)
    .where('state', '=', sql.lit('live'));
}

/** What operations have cost since then without being paid for, no matter who requested them. */
function unpaid({ db, value }: StatementParts<Asked>) {
  return db
    .selectFrom('holds')
    .select(sumWei('unpaid').as('sum'))
    .where('paymaster_id', '=', value('paymasterId'))
    .where('unpaid', 'is not', null)
    .where('unpaid_at', '>', value('since'));
}
