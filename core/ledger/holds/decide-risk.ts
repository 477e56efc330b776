import { maxBigint } from '../../base/values/integers.ts';
import type { UnpaidBudget } from '../../domain/budget.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { riskAccounts } from '../accounts/open-accounts.ts';
import type { CountedForClient } from './decide-caps.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';
import { shareOf } from './share-of.ts';

/** What a request can lose beyond what its hold can lose already, in wei. */
export function riskAdded({ unpaidBudget, amount }: HoldRequest, live: DraftHold | undefined): bigint {
  return unpaidBudget === undefined ? 0n : maxBigint(amount - (live?.atRisk ?? 0n), 0n);
}

/** The operator's budget for what may end unpaid, where the request may. */
export function decideRisk(
  { accounts }: HoldWorkingSet,
  request: HoldRequest,
  { counted, ...hold }: { readonly added: bigint; readonly spendable: bigint; readonly counted: CountedForClient },
): readonly Ruling[] {
  const { unpaidBudget: budget, caps, policy } = request;
  if (budget === undefined) return [];
  const asked = { paymasterId: policy.paymasterId, sender: request.sender, client: caps?.client };
  const { paymaster, sender, client, unpaid } = riskAccounts(asked);
  const openIn = (name: string) => accounts.of(name).amount;
  const isCapped = client !== undefined && caps !== undefined;
  const ofClient = isCapped ? { ofClient: { open: openIn(client), maxShare: caps.most.maxShareOfTankPerClient } } : {};
  const counts = {
    joined: counted.atRiskBefore,
    addedOwn: counted.atRisk,
    ofSender: openIn(sender) + openIn(unpaid),
    ofPaymaster: openIn(paymaster),
  };
  return [capUnpaid({ ...hold, ...counts, ...ofClient, budget })];
}

/** An operation that may end unpaid, and what counts already. Amounts in wei. */
type RiskyHold = {
  readonly budget: UnpaidBudget;
  readonly ofPaymaster: bigint;
  /** What is open for the sender, as far as the same client has requested it. */
  readonly ofSender: bigint;
  /** What the client has open for all senders, and how large a part of the paymaster's share that may be. */
  readonly ofClient?: { readonly open: bigint; readonly maxShare: number };
  /** What counts for sender and client already because of the same nonce. */
  readonly joined: bigint;
  readonly added: bigint;
  /** What is added to the amounts of sender and client; 0 when `added` is 0. */
  readonly addedOwn: bigint;
  /** What the tank has for open holds and new ones. */
  readonly spendable: bigint;
};

const rule = 'operator-unpaid' as const;

/** The operator's budget for operations that can land without being paid for. */
function capUnpaid(hold: RiskyHold): Ruling {
  const { budget, ofSender, ofPaymaster, ofClient, joined, added, addedOwn, spendable } = hold;
  const { maxUnpaidSharePerSender, maxUnpaidSharePerPaymaster } = budget;
  const senderMost = shareOf(spendable, maxUnpaidSharePerSender);
  const most = shareOf(spendable, maxUnpaidSharePerPaymaster);
  const seen: Ruling = { rule, finding: [rule, ofSender + addedOwn, ofPaymaster + added, senderMost, most] };
  if (added === 0n) return seen;
  if (ofPaymaster + added > most) return { ...seen, refusal: refuseShare('Paymaster', maxUnpaidSharePerPaymaster) };
  if (ofClient !== undefined && ofClient.open > joined && ofClient.open + addedOwn > shareOf(most, ofClient.maxShare)) {
    return { ...seen, refusal: refuseClient(ofClient.maxShare) };
  }
  const isOnly = ofSender === joined && maxUnpaidSharePerSender > 0;
  if (isOnly || ofSender + addedOwn <= senderMost) return seen;
  return { ...seen, refusal: refuseShare('Sender', maxUnpaidSharePerSender) };
}

/** Says nothing about what the tank contains: anyone can see this message. */
function refuseShare(whose: 'Sender' | 'Paymaster', share: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `Operations of this ${whose.toLowerCase()} have used up what they may cost before their tokens are collected. Operations of an account that has already approved the paymaster are still signed if the contract collects tokens in advance.`,
    details: {
      limit: `maxUnpaidSharePer${whose}`,
      max: String(share),
      frees: 'Land the signed operations, approve the paymaster in a separate operation, or try again within a day.',
    },
  };
}

/** The rest is for other clients. */
function refuseClient(share: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message:
      'The address of this request has signed operations whose tokens are not collected yet, and they use up its share of what such operations may cost.',
    details: {
      limit: 'maxShareOfTankPerClient',
      max: String(share),
      frees: 'Land the signed operations, or wait until they expire.',
    },
  };
}
