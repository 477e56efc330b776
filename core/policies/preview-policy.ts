import type { Address } from 'viem';
import type { DecisionFacts } from '../domain/decision.ts';
import type { Policy } from '../domain/policy.ts';
import type { ChangedDecision, PolicyPreview } from '../domain/policy-preview.ts';
import { countsUsd } from './counts-usd.ts';
import type { PastDecision } from './past-decision.ts';
import { createReplayCounts, type ReplayCounts } from './replay-counts.ts';
import { ruleOnCalls } from './rules/rule-on-calls.ts';
import { ruleOnCost } from './rules/rule-on-cost.ts';
import { ruleOnGasPrice } from './rules/rule-on-gas-price.ts';
import { ruleOnLimit } from './rules/rule-on-limit.ts';
import { ruleOnPause } from './rules/rule-on-pause.ts';
import { ruleOnPeriod } from './rules/rule-on-period.ts';
import { ruleOnSender } from './rules/rule-on-sender.ts';
import type { Ruling } from './rules/ruling.ts';
import type { SponsoredContracts } from './rules/sponsored-contracts.ts';

/** What a proposed policy decides with: itself and the contracts that are registered now. */
type Proposed = { readonly contracts: SponsoredContracts; readonly policy: Policy };

/**
 * Decides past decisions (oldest first) anew with a proposed policy, from what was recorded of each and at its time.
 * Limits count from the oldest on. A decision that was refused before its cost was known is decided without it.
 */
export function previewPolicy(proposed: Proposed, decisions: readonly PastDecision[]): PolicyPreview {
  const counts = createReplayCounts(proposed.policy.limits);
  const cutOff: ChangedDecision[] = [];
  const letIn: ChangedDecision[] = [];
  for (const decision of decisions) {
    const { decisionId, decidedAt, sender, refused } = decision;
    const ruling = decideAnew(proposed, decision, counts);
    if (ruling === undefined) {
      counts.add(decision);
      if (refused !== undefined) letIn.push({ decisionId, decidedAt, sender, ...refused });
    } else if (refused === undefined) {
      const { reason, message } = ruling.refusal;
      cutOff.push({ decisionId, decidedAt, sender, reason, rule: ruling.rule, message });
    }
  }
  const [oldest] = decisions;
  return {
    replayed: decisions.length,
    ...(oldest === undefined ? {} : { since: oldest.decidedAt }),
    unpriced: countsUsd(proposed.policy) ? decisions.filter(({ facts }) => isUnpriced(facts)).length : 0,
    cutOff,
    letIn,
    senders: countSenders(cutOff),
  };
}

type Refused = Ruling & Required<Pick<Ruling, 'refusal'>>;

/** The ruling that would refuse the decision. */
function decideAnew(proposed: Proposed, decision: PastDecision, counts: ReplayCounts): Refused | undefined {
  const { policy } = proposed;
  const { sender, decidedAt, facts } = decision;
  const rulings = [
    ruleOnSender(policy, sender),
    ruleOnPeriod(policy, decidedAt),
    ruleOnPause(policy, decidedAt),
    ruleOnCalls(proposed, facts),
    ruleOnGasPrice(policy, facts.maxFeePerGas),
    ...ruleOnKnownCost(policy, facts),
    ...counts.count(decision).map(ruleOnLimit),
  ];
  return rulings.find((ruling): ruling is Refused => ruling.refusal !== undefined);
}

function ruleOnKnownCost(policy: Policy, { worstCase, usdMicrosPerCoin }: DecisionFacts): readonly Ruling[] {
  if (worstCase === undefined) return [];
  if (usdMicrosPerCoin !== undefined) return [ruleOnCost(policy, { worstCase, usdMicrosPerCoin })];
  const { maxCostUsdMicros: _, ...inWei } = policy;
  return [ruleOnCost(inWei, { worstCase })];
}

function isUnpriced({ worstCase, usdMicrosPerCoin }: DecisionFacts): boolean {
  return worstCase === undefined || usdMicrosPerCoin === undefined;
}

function countSenders(cutOff: readonly ChangedDecision[]): PolicyPreview['senders'] {
  const bySender = new Map<Address, number>();
  for (const { sender } of cutOff) bySender.set(sender, (bySender.get(sender) ?? 0) + 1);
  return [...bySender].map(([sender, count]) => ({ sender, cutOff: count })).sort((a, b) => b.cutOff - a.cutOff);
}
