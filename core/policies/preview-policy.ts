import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import { maxBigint } from '../base/values/integers.ts';
import { type Decision, type DecisionFacts, firstOf } from '../domain/decision.ts';
import type { Policy, PolicyLimit } from '../domain/policy.ts';
import type { ChangedDecision, MethodGasUse, PolicyPreview } from '../domain/policy-preview.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import { sponsoredPart } from '../domain/user-share.ts';
import type { AskedCall, CallContent } from './call-rules/call-rules.ts';
import { type CalledCounts, type CalledLimits, calledKey, countCalls, joinCalls } from './called-limits.ts';
import { windowStart } from './limit-window.ts';
import { type Brought, capTooLow, createRefusingRules, limitTooLow } from './refusing-rules.ts';
import { decideStage, refusedBy } from './rules/decide-stage.ts';
import type { Proposed, StageFacts } from './rules/policy-rules.ts';
import { argumentsRule, hasUnreadArguments } from './rules/rule-on-arguments.ts';
import type { LimitCount } from './rules/rule-on-limit.ts';
import type { SponsoringPayer } from './rules/rule-on-relay.ts';
import { bindsPaid, offersTokenPayment } from './rules/rule-on-token.ts';
import { type PolicyStage, policyStages } from './rules/ruling.ts';
import { countsUsd, worthUsdMicros } from './worth-usd.ts';

/** Past decisions, decided again with a proposed policy. */
export type Preview = {
  /** Decides the next one again, using what it recorded and its own time. Oldest first: limits count from the first on. */
  decide(decision: PastDecision): void;
  /** The changes among those decided so far, in small steps: a limit may be counted again with other amounts. */
  result(): Generator<void, PolicyPreview>;
};

/** A decision that was refused before its cost was known is decided without the cost. */
export function createPreview(proposed: Proposed): Preview {
  const { policy } = proposed;
  const counts = createReplayCounts(policy);
  const asking: AskingDecision[] = [];
  const rules = createRefusingRules(policy);
  const replayedSenders = new Set<Address>();
  const cutOff: ChangedDecision[] = [];
  const letIn: ChangedDecision[] = [];
  const signed: SignedGas[] = [];
  let replayed = 0;
  let since: number | undefined;
  let unpriced = 0;
  let unread = 0;

  function decide(past: PastDecision): void {
    const decision = withCalls(past, proposed.calledLimits);
    const { decisionId, decidedAt, sender, refused, charge } = decision;
    const { worstCase, usdMicrosPerCoin } = decision.facts;
    const firstCall = firstOf(decision.facts.calls);
    const seen = { decisionId, decidedAt, sender, ...omitAbsent({ firstCall, worstCase, usdMicrosPerCoin, charge }) };
    replayed += 1;
    since ??= decidedAt;
    if (isUnpriced(decision.facts)) unpriced += 1;
    if (isUnread(proposed, decision)) unread += 1;
    signed.push(...signedGas(policy, decision));
    replayedSenders.add(sender);
    const ruling = decideAgain({ proposed, decision, counts });
    // If a limit no longer grants the sponsored part, the user pays everything.
    const paysAll = ruling !== undefined && decision.mode === 'ERC20' && offersTokenPayment(policy, ruling.refusal);
    if (ruling === undefined || ruling.stage === 'hold') {
      asking.push({ ...countedParts(decision), isGranted: refused === undefined });
    }
    if (ruling === undefined || paysAll) {
      if (!paysAll) counts.add(decision);
      const isOpen = refused?.rule === argumentsRule && isUnread(proposed, decision);
      if (refused !== undefined && !isOpen) letIn.push({ ...seen, ...refused });
    } else if (refused === undefined) {
      const { reason, message } = ruling.refusal;
      const { rule, stage } = ruling;
      const changed = { ...seen, reason, rule, message };
      const isOffered = decision.mode === 'SPONSORED' && offersTokenPayment(policy, ruling.refusal);
      const tooLow =
        stage === 'hold' ? limitTooLow(policy, counts.count(decision)) : capTooLow(rule, policy, decision.facts);
      rules.add({ rule, tooLow });
      cutOff.push(isOffered ? { ...changed, offeredTokenPayment: true } : changed);
    }
  }

  return {
    decide,
    *result() {
      return {
        replayed,
        ...omitAbsent({ since }),
        unpriced: countsUsd(policy) ? unpriced : 0,
        unread,
        cutOff,
        letIn,
        senders: countSenders(cutOff),
        replayedSenders: replayedSenders.size,
        rules: yield* rules.result((limit, max) => countAgain(asking, { ...policy, limits: [{ ...limit, max }] })),
        ...omitAbsent({ methodGas: usedGas(proposed, signed) }),
      };
    },
  };
}

/** A decision that a limit is asked about: all other rules pass it. */
type AskingDecision = CountedDecision & {
  /** It was signed, and would be refused if the limit does not grant it. */
  readonly isGranted: boolean;
};

/** What each granted decision would bring a single limit to, and whether that is too much. A refused one does not count. */
function* countAgain(
  asking: readonly AskingDecision[],
  { limits, userPaysPercent }: Counting,
): Generator<void, readonly Brought[]> {
  const counts = createReplayCounts({ limits, ...omitAbsent({ userPaysPercent }) });
  const brought: Brought[] = [];
  for (const decision of asking) {
    const [count] = counts.count(decision);
    const total = count === undefined ? 0n : count.used + (count.asked ?? 0n);
    const isRefused = count !== undefined && total > count.limit.max;
    if (!isRefused) counts.add(decision);
    if (decision.isGranted) brought.push({ total, isRefused });
    yield;
  }
  return brought;
}

type Replay = { readonly proposed: Proposed; readonly decision: AskedDecision; readonly counts: ReplayCounts };

/** The recorded input of each stage; undefined if the decision did not get that far. */
const recordedFacts: { readonly [Stage in PolicyStage]: (replay: Replay) => StageFacts[Stage] | undefined } = {
  request: ({ proposed, decision: { facts, calls, sender, decidedAt, payer, token } }) => ({
    ...proposed,
    calls,
    deploysOnly: facts.deploysOnly,
    maxFeePerGas: facts.maxFeePerGas,
    sender,
    decidedAt,
    payer,
    ...omitAbsent({ token, ticketUser: facts.subject }),
  }),
  account: ({ proposed: { policy }, decision: { facts } }) =>
    facts.account === undefined ? undefined : { policy, account: facts.account },
  cost: ({ proposed: { policy, calledLimits }, decision }) => {
    const { gas, callGas, worstCase, usdMicrosPerCoin } = decision.facts;
    if (worstCase === undefined) return undefined;
    const seen = { calledLimits, calls: decision.calls, gas, callGas, worstCase };
    if (usdMicrosPerCoin !== undefined) return { ...seen, policy, usdMicrosPerCoin };
    const { maxCostUsdMicros: _, ...inWei } = policy;
    return { ...seen, policy: inWei };
  },
  hold: ({ decision, counts }) => ({ counts: counts.count(decision) }),
};

/** Rules on arguments cannot judge it. */
function isUnread({ callRules, policy }: Proposed, decision: AskedDecision): boolean {
  const areBound = decision.mode === 'SPONSORED' || bindsPaid(policy);
  return areBound && hasUnreadArguments(callRules, decision.calls);
}

/** The ruling that would refuse the decision, and its stage. */
function decideAgain(replay: Replay) {
  for (const stage of policyStages) {
    const refused = decideRecorded(stage, replay);
    if (refused !== undefined) return { ...refused, stage };
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

/** A suggested cap on gas has half as much again as operations usually need, and is a multiple of this. */
const roundGas = 10_000;

/** The call gas of a signed operation, and how often it calls what each cap and limit is about. */
type SignedGas = { readonly gas: number; readonly called: CalledCounts };

/** Nothing for a refused operation, or where no cap on gas is proposed. */
function signedGas({ methodGas }: Policy, decision: AskedDecision): readonly SignedGas[] {
  const { callGas } = decision.facts;
  if (methodGas.length === 0 || decision.refused !== undefined || callGas === undefined) return [];
  return [{ gas: Number(callGas), called: decision.called }];
}

/** The call gas of the signed operations that each of the policy's caps binds; undefined without such caps. */
function usedGas(
  { policy: { methodGas } }: Proposed,
  signed: readonly SignedGas[],
): readonly MethodGasUse[] | undefined {
  if (methodGas.length === 0) return undefined;
  return methodGas.map((cap) => {
    const used = signed.filter(({ called }) => (called.get(calledKey(cap) ?? '') ?? 0) > 0).map(({ gas }) => gas);
    const usualCallGas = used.sort((one, other) => one - other)[Math.floor(used.length / 2)];
    const suggestedMaxCallGas = usualCallGas && Math.ceil((1.5 * usualCallGas) / roundGas) * roundGas;
    const { contract, method } = cap;
    return { contract, operations: used.length, ...omitAbsent({ method, usualCallGas, suggestedMaxCallGas }) };
  });
}

type Amounts = { readonly [unit in PolicyLimit['unit']]: bigint };

/** The limits' counts of the decisions accepted so far. */
type ReplayCounts = {
  /** Each limit with its count and what the decision would add. */
  count(decision: CountedDecision): readonly LimitCount[];
  add(decision: CountedDecision): void;
};

const nothing: Amounts = { operations: 0n, wei: 0n, usdMicros: 0n };

/** The parts of a policy that determine what a decision counts. */
type Counting = Pick<Policy, 'limits' | 'userPaysPercent'>;

/** Counts that start at 0. An operation counts once per sender and nonce, with the largest of its worst cases and calls. */
function createReplayCounts(counting: Counting): ReplayCounts {
  const { limits } = counting;
  const held = new Map<string, Amounts & { readonly since: number; readonly calls: CalledCounts }>();
  const counted = new Map<PolicyLimit, Map<string, bigint>>(limits.map((limit) => [limit, new Map()]));

  function policy(limit: PolicyLimit, decision: CountedDecision): { readonly start: number; readonly key: string } {
    const start = windowStart(limit.window, held.get(identity(decision))?.since ?? decision.decidedAt);
    return { start, key: `${whoseCount(limit, decision)} ${start}` };
  }

  /** Undefined for a limit that does not concern the operation. */
  function asked(decision: CountedDecision, limit: PolicyLimit): bigint | undefined {
    const { unit } = limit;
    const known = held.get(identity(decision));
    const before = known ?? nothing;
    const more = maxBigint(amountsOf(decision, counting)[unit] - before[unit], 0n);
    const called = calledKey(limit);
    if (called === undefined) return more;
    const callsBefore = known?.calls.get(called) ?? 0;
    const callsAfter = Math.max(callsBefore, decision.called.get(called) ?? 0);
    if (callsAfter === 0) return undefined;
    if (unit === 'operations') return BigInt(callsAfter - callsBefore);
    return callsBefore === 0 ? before[unit] + more : more;
  }

  return {
    count: (decision) => {
      if (!isGiven(decision, counting)) return [];
      return limits.flatMap((limit) => {
        const { start, key } = policy(limit, decision);
        const used = counted.get(limit)?.get(key) ?? 0n;
        const more = asked(decision, limit);
        return more === undefined ? [] : [{ limit, windowStart: start, used, asked: more }];
      });
    },

    add(decision) {
      if (decision.released || !isGiven(decision, counting)) return;
      for (const limit of limits) {
        const { key } = policy(limit, decision);
        const counts = counted.get(limit);
        counts?.set(key, (counts.get(key) ?? 0n) + (asked(decision, limit) ?? 0n));
      }
      const before = held.get(identity(decision));
      const amounts = amountsOf(decision, counting);
      held.set(identity(decision), {
        operations: 1n,
        wei: maxBigint(amounts.wei, before?.wei ?? 0n),
        usdMicros: maxBigint(amounts.usdMicros, before?.usdMicros ?? 0n),
        since: before?.since ?? decision.decidedAt,
        calls: joinCalls(before?.calls ?? new Map(), decision.called),
      });
    },
  };
}

/** A decision without a ticket is refused before limits per user apply. */
function whoseCount({ per }: PolicyLimit, { sender, facts }: CountedDecision): string {
  if (per === 'sender') return sender.toLowerCase();
  return per === 'subject' ? (facts.subject ?? '') : '';
}

/** Whether the policy would sponsor the whole or a part of it. */
function isGiven({ mode }: CountedDecision, { userPaysPercent }: Counting): boolean {
  return mode === 'SPONSORED' || userPaysPercent !== undefined;
}

/** Unknown amounts of a decision count as 0. */
function amountsOf({ facts: { worstCase, usdMicrosPerCoin } }: CountedDecision, counting: Counting): Amounts {
  const wei = sponsoredPart(worstCase ?? 0n, counting.userPaysPercent ?? 0);
  return {
    operations: 1n,
    wei,
    usdMicros: usdMicrosPerCoin === undefined ? 0n : worthUsdMicros(wei, usdMicrosPerCoin),
  };
}

function identity({ sender, nonce }: CountedDecision): string {
  return `${sender.toLowerCase()} ${nonce}`;
}

/** A past decision that depended on the policy: signed, or refused by one of its rules. */
export type PastDecision = Pick<Decision, 'decisionId' | 'decidedAt'> & {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly mode: SponsorshipMode;
  readonly payer: SponsoringPayer;
  /** The token that the user wanted to pay in. */
  readonly token?: Address;
  readonly facts: DecisionFacts;
  /** The contents of the calls in `facts`, in their order; undefined where not recorded. */
  readonly contents: readonly (CallContent | null)[];
  readonly refused?: Pick<ChangedDecision, 'reason' | 'rule' | 'message'>;
  /** What the tank paid for its operation, in wei; absent if that has not landed, or if a later decision signed for it again. */
  readonly charge?: bigint;
  /** Its hold has been released. */
  readonly released: boolean;
};

/** What limits count of a decision. */
type CountedDecision = Pick<PastDecision, 'sender' | 'nonce' | 'decidedAt' | 'mode' | 'released'> & {
  readonly facts: Pick<DecisionFacts, 'worstCase' | 'usdMicrosPerCoin' | 'subject'>;
  /** How often it calls what each limit is about. */
  readonly called: CalledCounts;
};

/** Without what limits do not count: a preview keeps many of them. */
function countedParts({ sender, nonce, decidedAt, mode, released, facts, called }: AskedDecision): CountedDecision {
  const { worstCase, usdMicrosPerCoin, subject } = facts;
  return {
    sender,
    nonce,
    decidedAt,
    mode,
    released,
    facts: omitAbsent({ worstCase, usdMicrosPerCoin, subject }),
    called,
  };
}

/** With its calls in the form that rules and limits use: most of the work with an operation of many calls. */
type AskedDecision = PastDecision & CountedDecision & { readonly calls: readonly AskedCall[] };

function withCalls(decision: PastDecision, calledLimits: CalledLimits): AskedDecision {
  const { facts, contents } = decision;
  const calls = facts.calls.map((call, index) => ({ ...call, content: contents[index] ?? undefined }));
  return { ...decision, calls, called: countCalls(calledLimits, calls) };
}
