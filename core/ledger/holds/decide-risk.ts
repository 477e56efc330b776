import { maxBigint } from '../../base/values/integers.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { capUnpaid } from './cap-unpaid.ts';
import type { CountedForClient } from './count-for-client.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';
import { type RiskSubject, riskIdentities } from './unpaid-risk.ts';

/** What a request can lose beyond what its hold can lose already, in wei. */
export function riskAdded({ unpaidBudget, amount }: HoldRequest, live: DraftHold | undefined): bigint {
  return unpaidBudget === undefined ? 0n : maxBigint(amount - (live?.atRisk ?? 0n), 0n);
}

/** The operator's budget for what may end unpaid, where the request may. */
export function decideRisk(
  { risks }: HoldWorkingSet,
  request: HoldRequest,
  { counted, ...hold }: { readonly added: bigint; readonly spendable: bigint; readonly counted: CountedForClient },
): readonly Ruling[] {
  const { unpaidBudget: budget, caps } = request;
  if (budget === undefined) return [];
  const { paymaster, sender, client } = riskIdentities(request);
  const sumOf = (identity: string) => risks.get(identity) ?? 0n;
  const isCapped = client !== undefined && caps !== undefined;
  const ofClient = isCapped ? { ofClient: { open: sumOf(client), maxShare: caps.maxShareOfTankPerClient } } : {};
  const own = { joined: counted.atRiskBefore, addedOwn: counted.atRisk };
  return [capUnpaid({ ...hold, ...own, ...ofClient, budget, ofSender: sumOf(sender), ofPaymaster: sumOf(paymaster) })];
}

/** Counts what may end unpaid: for a paymaster, and for one of its senders and the requesting client. */
export function addRisk(
  { risks }: HoldWorkingSet,
  subject: RiskSubject,
  { ofPaymaster, ofClient }: { readonly ofPaymaster: bigint; readonly ofClient: bigint },
): void {
  const { paymaster, sender, client } = riskIdentities(subject);
  const add = (identity: string, amount: bigint) => risks.set(identity, (risks.get(identity) ?? 0n) + amount);
  add(paymaster, ofPaymaster);
  add(sender, ofClient);
  if (client !== undefined) add(client, ofClient);
}
