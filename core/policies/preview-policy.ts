import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import { inOneTurn } from '../base/time/in-own-turn.ts';
import type { DecisionFacts } from '../domain/decision.ts';
import type { ChangedDecision, PolicyPreview } from '../domain/policy-preview.ts';
import { askedCalls, type PastDecision } from './past-decision.ts';
import { createReplayCounts, type ReplayCounts } from './replay-counts.ts';
import { decideStage, refusedBy } from './rules/decide-stage.ts';
import type { Proposed, StageFacts } from './rules/policy-rules.ts';
import { type PolicyStage, policyStages } from './rules/rule-ids.ts';
import { argumentsRule, hasUnreadArguments } from './rules/rule-on-arguments.ts';
import { bindsPaid, offersTokenPayment } from './rules/rule-on-token.ts';
import { countsUsd } from './worth-usd.ts';

/**
 * Decides past decisions again (oldest first) with a proposed policy, using what each recorded and its own time. Limits
 * count from the oldest on. A decision that was refused before its cost was known is decided without the cost.
 */
export function previewPolicy(proposed: Proposed, decisions: readonly PastDecision[]): PolicyPreview {
  return inOneTurn(previewInSteps(proposed, decisions));
}

/** Like `previewPolicy`, one decision per step. */
export function* previewInSteps(
  proposed: Proposed,
  decisions: readonly PastDecision[],
): Generator<void, PolicyPreview> {
  const counts = createReplayCounts(proposed.policy, proposed.calledLimits);
  const cutOff: ChangedDecision[] = [];
  const letIn: ChangedDecision[] = [];
  for (const decision of decisions) {
    yield;
    const { decisionId, decidedAt, sender, refused } = decision;
    const ruling = decideAgain({ proposed, decision, counts });
    // If a limit no longer grants the sponsored part, the user pays everything.
    const paysAll =
      ruling !== undefined && decision.mode === 'ERC20' && offersTokenPayment(proposed.policy, ruling.refusal);
    if (ruling === undefined || paysAll) {
      if (!paysAll) counts.add(decision);
      const isOpen = refused?.rule === argumentsRule && isUnread(proposed, decision);
      if (refused !== undefined && !isOpen) letIn.push({ decisionId, decidedAt, sender, ...refused });
    } else if (refused === undefined) {
      const { reason, message } = ruling.refusal;
      const changed = { decisionId, decidedAt, sender, reason, rule: ruling.rule, message };
      const isOffered = decision.mode === 'SPONSORED' && offersTokenPayment(proposed.policy, ruling.refusal);
      cutOff.push(isOffered ? { ...changed, offeredTokenPayment: true } : changed);
    }
  }
  const [oldest] = decisions;
  return {
    replayed: decisions.length,
    ...omitAbsent({ since: oldest?.decidedAt }),
    unpriced: countsUsd(proposed.policy) ? decisions.filter(({ facts }) => isUnpriced(facts)).length : 0,
    unread: decisions.filter((decision) => isUnread(proposed, decision)).length,
    cutOff,
    letIn,
    senders: countSenders(cutOff),
  };
}

type Replay = { readonly proposed: Proposed; readonly decision: PastDecision; readonly counts: ReplayCounts };

/** The recorded input of each stage; undefined if the decision did not get that far. */
const recordedFacts: { readonly [Stage in PolicyStage]: (replay: Replay) => StageFacts[Stage] | undefined } = {
  request: ({ proposed, decision }) => ({
    ...proposed,
    ...decision.facts,
    calls: askedCalls(decision),
    sender: decision.sender,
    decidedAt: decision.decidedAt,
    way: decision.way,
    ...omitAbsent({ token: decision.token }),
  }),
  account: ({ proposed: { policy }, decision: { facts } }) =>
    facts.account === undefined ? undefined : { policy, account: facts.account },
  cost: ({ proposed: { policy }, decision: { facts } }) => {
    const { gas, worstCase, usdMicrosPerCoin } = facts;
    if (worstCase === undefined) return undefined;
    if (usdMicrosPerCoin !== undefined) return { policy, gas, worstCase, usdMicrosPerCoin };
    const { maxCostUsdMicros: _, ...inWei } = policy;
    return { policy: inWei, gas, worstCase };
  },
  hold: ({ decision, counts }) => ({ counts: counts.count(decision) }),
};

/** Rules on arguments cannot judge it. */
function isUnread({ callRules, policy }: Proposed, decision: PastDecision): boolean {
  const areBound = decision.mode === 'SPONSORED' || bindsPaid(policy);
  return areBound && hasUnreadArguments(callRules, askedCalls(decision));
}

/** The ruling that would refuse the decision. */
function decideAgain(replay: Replay) {
  for (const stage of policyStages) {
    const refused = decideRecorded(stage, replay);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function decideRecorded<Stage extends PolicyStage>(stage: Stage, replay: Replay) {
  const facts = recordedFacts[stage](replay);
  return facts === undefined ? undefined : refusedBy(decideStage(stage, facts, replay.decision.mode));
}

function isUnpriced({ worstCase, usdMicrosPerCoin }: DecisionFacts): boolean {
  return worstCase === undefined || usdMicrosPerCoin === undefined;
}

function countSenders(cutOff: readonly ChangedDecision[]): PolicyPreview['senders'] {
  const bySender = new Map<Address, number>();
  for (const { sender } of cutOff) bySender.set(sender, (bySender.get(sender) ?? 0) + 1);
  return [...bySender].map(([sender, count]) => ({ sender, cutOff: count })).sort((a, b) => b.cutOff - a.cutOff);
}
