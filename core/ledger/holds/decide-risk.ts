import { maxBigint } from '../../base/values/integers.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { riskIdentities } from '../sums/sum-owners.ts';
import { capUnpaid } from './cap-unpaid.ts';
import type { CountedForClient } from './count-for-client.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';

/** What a request can lose beyond what its hold can lose already, in wei. */
export function riskAdded({ unpaidBudget, amount }: HoldRequest, live: DraftHold | undefined): bigint {
  return unpaidBudget === undefined ? 0n : maxBigint(amount - (live?.atRisk ?? 0n), 0n);
}

/** The operator's budget for what may end unpaid, where the request may. */
export function decideRisk(
  { sums }: HoldWorkingSet,
  request: HoldRequest,
  { counted, ...hold }: { readonly added: bigint; readonly spendable: bigint; readonly counted: CountedForClient },
): readonly Ruling[] {
  const { unpaidBudget: budget, caps } = request;
  if (budget === undefined) return [];
  const { paymaster, sender, client } = riskIdentities(request);
  const sumOf = (identity: string) => sums.of('risk', [identity]).wei;
  const isCapped = client !== undefined && caps !== undefined;
  const ofClient = isCapped ? { ofClient: { open: sumOf(client), maxShare: caps.maxShareOfTankPerClient } } : {};
  const own = { joined: counted.atRiskBefore, addedOwn: counted.atRisk };
  return [capUnpaid({ ...hold, ...own, ...ofClient, budget, ofSender: sumOf(sender), ofPaymaster: sumOf(paymaster) })];
}
