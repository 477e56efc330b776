import type { CountedQuantities, Legs } from '../accounts/legs.ts';

/** What of a hold decides which sums and accounts count it, and as what. Amounts in wei. */
export type CountedHold = CountedQuantities & {
  readonly tankId: number;
  readonly chainId: number;
  readonly contract: string;
  readonly paymasterId: string;
  readonly sender: string;
  readonly client: string | undefined;
  readonly isLive: boolean;
  readonly amount: bigint;
  readonly lastsLong: boolean;
  readonly atRisk: bigint | undefined;
  /** The accounts that count it. */
  readonly legs: Legs;
};

/** What a sum counts: operations or calls, wei, and millionths of a USD. */
export type Amounts = { readonly operations: number; readonly wei: bigint; readonly usdMicros: bigint };

export type SumName = 'tank' | 'contract' | 'open' | 'risk';

/** The values of a row's key columns, in the order in which `sum-tables.ts` lists them. */
export type SumKey = readonly (string | number)[];

/** What one sum counts of a hold. */
export type Leg<Name = SumName, Key = SumKey> = { readonly sum: Name; readonly key: Key; readonly amounts: Amounts };

/**
 * Everything that sums count of a hold as it is, besides its accounts. Holding, settling, releasing and reopening change the
 * hold; each sum changes by the legs after that less those before. Another sum is another leg here, and its table.
 */
export function legsOf(hold: CountedHold): readonly Leg[] {
  const legs: Leg[] = [];
  if (hold.isLive) addOpenLegs(hold, legs);
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
