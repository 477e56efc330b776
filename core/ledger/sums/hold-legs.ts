import { type CalledCounts, storedSubject } from '../../policies/called-limits.ts';
import { windowStart } from '../../policies/limit-window.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import { keySubject } from '../counts/limit-usage.ts';

/** What of a hold decides which sums count it, and as what. Amounts in wei and in millionths of a USD. */
export type CountedHold = PolicyKey & {
  /** Undefined before it is written. */
  readonly holdId: number | undefined;
  readonly tankId: number;
  readonly chainId: number;
  readonly contract: string;
  /** Undefined where no one has the paymaster. */
  readonly accountId: string | undefined;
  readonly sender: string;
  readonly client: string | undefined;
  readonly keyNumber: number;
  readonly createdAt: number;
  readonly isLive: boolean;
  /** It ended, and nothing can have landed under it. */
  readonly isGivenBack: boolean;
  readonly subject: string | undefined;
  readonly ticket: string | undefined;
  readonly calls: CalledCounts;
  readonly amount: bigint;
  readonly lastsLong: boolean;
  readonly atRisk: bigint | undefined;
  /** Undefined where limits and budgets count nothing of it. */
  readonly counted: bigint | undefined;
  readonly usdMicros: bigint | undefined;
  readonly worth: bigint | undefined;
};

/** What a sum counts: operations or calls, wei, and millionths of a USD. */
export type Amounts = { readonly operations: number; readonly wei: bigint; readonly usdMicros: bigint };

export type SumName = 'tank' | 'contract' | 'open' | 'risk' | 'hour' | 'worth';

/** The values of a row's key columns, in the order in which `sum-tables.ts` lists them. */
export type SumKey = readonly (string | number)[];

/** What one sum counts of a hold. */
export type Leg<Name = SumName, Key = SumKey> = { readonly sum: Name; readonly key: Key; readonly amounts: Amounts };

/** In worth sums: all of an account's paymasters together. */
export const allPaymasters = '';

/**
 * Everything that sums count of a hold as it is, except counts of limits ({@link limitLegs}). Holding, settling, releasing and
 * reopening change the hold; each sum changes by the legs after that less those before. Another sum is another leg here, and its
 * table.
 */
export function legsOf(hold: CountedHold): readonly Leg[] {
  const legs: Leg[] = [];
  if (hold.isLive) addOpenLegs(hold, legs);
  if (hold.counted !== undefined) addCountedLegs(hold, legs);
  return legs;
}

/** Until it ends: what tank and contract hold, what sender, client and long-lasting signatures have open there, what may end unpaid. */
function addOpenLegs(hold: CountedHold, legs: Leg[]): void {
  const { tankId, chainId, contract, atRisk } = hold;
  const amounts = { operations: 1, wei: hold.amount, usdMicros: 0n };
  legs.push({ sum: 'tank', key: [tankId], amounts }, { sum: 'contract', key: [chainId, contract], amounts });
  for (const whose of countedFor(hold)) legs.push({ sum: 'open', key: [whose, tankId], amounts });
  if (hold.lastsLong) legs.push({ sum: 'open', key: [lastingLongAt(tankId), tankId], amounts });
  if (atRisk === undefined) return;
  const ofRisk = { operations: 1, wei: atRisk, usdMicros: 0n };
  for (const identity of Object.values(riskIdentities(hold))) {
    legs.push({ sum: 'risk', key: [identity], amounts: ofRisk });
  }
}

/** What limits and budgets count: also once it has ended, unless nothing can land under it. */
function addCountedLegs(hold: CountedHold, legs: Leg[]): void {
  const { paymasterId, accountId, createdAt, worth = 0n } = hold;
  legs.push({ sum: 'hour', key: [policyKey(hold), windowStart('hour', createdAt)], amounts: countedAmounts(hold) });
  if (accountId === undefined) return;
  const amounts = { operations: 0, wei: 0n, usdMicros: worth };
  for (const owner of [paymasterId, allPaymasters]) {
    for (const span of ['day', 'ever'] as const) {
      legs.push({ sum: 'worth', key: [accountId, owner, span, windowStart(span, createdAt)], amounts });
    }
  }
}

function countedAmounts({ isGivenBack, counted = 0n, usdMicros = 0n }: CountedHold): Amounts {
  return { operations: isGivenBack ? 0 : 1, wei: counted, usdMicros };
}

/** Counts of a limit in all its windows. The key is that of the policy, or the paymaster's id, and the stored subject. */
type LimitLeg = Leg<'limit', readonly [policyKey: string, subject: string]>;

/**
 * What limits can count of a hold. Under the policy: of its sender, its user and all together. Under the paymaster: of the key, the
 * ticket and webhooks' budgets.
 */
export function limitLegs(hold: CountedHold): readonly LimitLeg[] {
  if (hold.counted === undefined) return [];
  const { paymasterId, sender, subject, ticket } = hold;
  const policy = policyKey(hold);
  const amounts = countedAmounts(hold);
  const leg = (key: LimitLeg['key'], times = 1): LimitLeg => {
    return { sum: 'limit', key, amounts: { ...amounts, operations: amounts.operations * times } };
  };
  const own = ['', sender, ...(subject === undefined ? [] : [subject])];
  const ofPaymaster = [keySubject(hold.keyNumber), ...(ticket === undefined ? [] : [ticket])];
  return [
    ...own.map((whose) => leg([policy, whose])),
    ...ofPaymaster.map((whose) => leg([paymasterId, whose])),
    ...[...hold.calls].flatMap(([called, times]) => {
      const stored = own.map((whose) => storedSubject({ subject: whose, called }));
      return stored.map((whose) => leg([policy, whose], times));
    }),
  ];
}

type SenderOfClient = { readonly sender: string; readonly client?: string | null | undefined };

/**
 * A sender, as far as one client has requested it. A signature can be requested without a key of the account, so what
 * strangers request for a sender does not count against its owner. The client is first, so that both rows of a hold are
 * neighbours in the table, on one page of the disk.
 */
export function senderOfClient({ sender, client }: SenderOfClient): string {
  return `${client ?? ''}:${sender}`;
}

/** What a hold counts for: its sender, as far as its client requested it, and that client if there is one. */
function countedFor({ sender, client }: SenderOfClient): readonly string[] {
  return [senderOfClient({ sender, client }), ...(client === undefined || client === null ? [] : [client])];
}

/** The identity of a tank's long-lasting holds: they count together, no matter who requested them. */
export function lastingLongAt(tankId: number): string {
  return `lasts-long:${tankId}`;
}

/** Whose operation may end unpaid, and who requests it. */
type RiskSubject = {
  readonly paymasterId: string;
  readonly sender: string;
  readonly client?: string | undefined;
};

/**
 * Whose risk, in what operations in token mode that are charged after the call can cost without being paid for, and have cost so in the
 * last 24 hours: a paymaster's, that of one of its senders as far as a client asks for it, and what the client has open.
 */
export function riskIdentities({ paymasterId, sender, client }: RiskSubject): {
  readonly paymaster: string;
  readonly sender: string;
  readonly client?: string;
} {
  const ofClient = client === undefined ? {} : { client: `${paymasterId}:client:${client}` };
  return { paymaster: paymasterId, sender: `${paymasterId}:${sender}:${client ?? ''}`, ...ofClient };
}
