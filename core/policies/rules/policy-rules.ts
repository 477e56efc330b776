import { type Address, zeroAddress } from 'viem';
import type { DecidedAccount } from '../../domain/decision.ts';
import { limitScopes, limitUnits, limitWindows, type Policy } from '../../domain/policy.ts';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import type { AskedCall, CallRules } from '../call-rules/call-rules.ts';
import type { CalledLimits } from '../called-limits/count-calls.ts';
import type { PolicyStage } from './rule-ids.ts';
import { argumentsRule, ruleOnArguments } from './rule-on-arguments.ts';
import { ruleOnCalledLimits } from './rule-on-called-limits.ts';
import { type AskedCalls, ruleOnCalls } from './rule-on-calls.ts';
import { type OperationCost, ruleOnCost } from './rule-on-cost.ts';
import { ruleOnGas } from './rule-on-gas.ts';
import { ruleOnGasPrice } from './rule-on-gas-price.ts';
import { type LimitCount, limitRuleId, ruleOnLimit, unpricedLimit } from './rule-on-limit.ts';
import { ruleOnPause } from './rule-on-pause.ts';
import { ruleOnRelay, type SponsoredWay } from './rule-on-relay.ts';
import { ruleOnAccount, ruleOnSender } from './rule-on-sender.ts';
import { ruleOnTicket } from './rule-on-ticket.ts';
import { ruleOnPeriod } from './rule-on-time.ts';
import { ruleOnShare, ruleOnToken } from './rule-on-token.ts';
import type { Ruling, SponsoredContracts } from './ruling.ts';

/** A policy, the contracts registered next to it, its rules on their arguments, and its limits of them. */
export type Proposed = {
  readonly policy: Policy;
  readonly contracts: SponsoredContracts;
  readonly callRules: CallRules;
  readonly calledLimits: CalledLimits;
};

/** What the rules of each stage decide on. `decidedAt` in Unix seconds, `maxFeePerGas` in wei. */
export type StageFacts = {
  /**
   * The request and the time alone. `token` is the one that a user wants to pay in, `subject` whose ticket there is, `way` how
   * a sponsored operation reaches the chain: by a paymaster contract when absent.
   */
  readonly request: Proposed &
    AskedCalls & {
      readonly calls: readonly AskedCall[];
      readonly sender: Address;
      readonly maxFeePerGas: bigint;
      readonly decidedAt: number;
      readonly token?: Address;
      readonly subject?: string;
      readonly way?: SponsoredWay;
    };
  /** Whose code runs for the sender; undefined where no one could tell. */
  readonly account: { readonly policy: Policy; readonly account: DecidedAccount | undefined };
  /** The sum of the operation's gas limits, and what it can cost with them. */
  readonly cost: { readonly policy: Policy; readonly gas: bigint | undefined } & OperationCost;
  /** What has been counted so far; read in the transaction of the hold. */
  readonly hold: { readonly counts: readonly LimitCount[] };
};

/**
 * A rule, and whether it binds operations of each mode: one that does not say so does not compile. `after limits`
 * binds where the policy lets users pay for what its limits no longer sponsor (`thenPayInToken`), and both
 * `after limits` and `shared` where users pay a part (`userPaysPercent`): what is forbidden stays so when it is paid
 * for.
 */
export type PolicyRule<Stage extends PolicyStage> = {
  readonly binds: Readonly<Record<SponsorshipMode, boolean | 'after limits' | 'shared'>>;
  decide(facts: StageFacts[Stage]): readonly Ruling[];
};

/** Rules by the id of their rulings, in the order in which they decide. A limit has an id of its own besides. */
type RulesOf<Stage extends PolicyStage> = Readonly<Record<string, PolicyRule<Stage>>>;

/** What decides who, when and at which price, no matter who pays: the gas tank advances it. */
const always = { SPONSORED: true, ERC20: true } as const;
/** What may be called at all, by whose code. */
const alsoAfterLimits = { SPONSORED: true, ERC20: 'after limits' } as const;
/** What the application gives away, the whole or a part. */
const whatIsGiven = { SPONSORED: true, ERC20: 'shared' } as const;
const whenSponsored = { SPONSORED: true, ERC20: false } as const;
const whenPaidInTokens = { SPONSORED: false, ERC20: true } as const;

/**
 * The rules of a policy. The live decision, its explanation and the preview of a policy all decide with this list, in
 * its order: a stage that one of the three leaves out does not compile. Rules are pure.
 */
export const policyRules: { readonly [Stage in PolicyStage]: RulesOf<Stage> } = {
  request: {
    'policy-calls': { binds: alsoAfterLimits, decide: (facts) => [ruleOnCalls(facts, facts)] },
    [argumentsRule]: {
      binds: alsoAfterLimits,
      decide: ({ callRules, calls, sender }) => ruleOnArguments(callRules, calls, sender),
    },
    'limited-calls': {
      binds: whatIsGiven,
      decide: ({ calledLimits, calls }) => ruleOnCalledLimits(calledLimits, calls),
    },
    'policy-tokens': { binds: whenPaidInTokens, decide: ({ policy, token }) => [ruleOnToken(policy, token)] },
    'policy-ticket': { binds: always, decide: ({ policy, subject }) => ruleOnTicket(policy, subject) },
    'policy-sender': { binds: always, decide: ({ policy, sender }) => [ruleOnSender(policy, sender)] },
    'policy-period': { binds: always, decide: ({ policy, decidedAt }) => [ruleOnPeriod(policy, decidedAt)] },
    'policy-pause': { binds: always, decide: ({ policy, decidedAt }) => [ruleOnPause(policy, decidedAt)] },
    'policy-gas-price': { binds: always, decide: ({ policy, maxFeePerGas }) => [ruleOnGasPrice(policy, maxFeePerGas)] },
    'policy-relay': { binds: whenSponsored, decide: ({ policy, way = 'CONTRACT' }) => ruleOnRelay(policy, way) },
    // The last rule: a caller who is asked to pay a share is not refused afterwards for what is known now.
    'policy-share': { binds: whenSponsored, decide: ({ policy }) => ruleOnShare(policy) },
  },
  account: {
    'policy-accounts': { binds: alsoAfterLimits, decide: ({ policy, account }) => [ruleOnAccount(policy, account)] },
  },
  cost: {
    'policy-gas': { binds: always, decide: ({ policy, gas }) => [ruleOnGas(policy, gas)] },
    'policy-cost': { binds: always, decide: (facts) => [ruleOnCost(facts.policy, facts)] },
  },
  hold: {
    // Where nothing is given there is nothing counted.
    'policy-limits': { binds: always, decide: ({ counts }) => counts.map(ruleOnLimit) },
  },
};

/** A limit is on everything, or of a contract, or of a method; which ones does not matter to its rule. */
const calledForms = [{}, { contract: zeroAddress }, { contract: zeroAddress, method: 'any' }] as const;

const ids: ReadonlySet<string> = new Set([
  ...Object.values(policyRules).flatMap((rules) => Object.keys(rules)),
  ...limitScopes.flatMap((per) =>
    limitWindows.flatMap((window) =>
      limitUnits.flatMap((unit) => calledForms.map((called) => limitRuleId({ per, window, unit, ...called }))),
    ),
  ),
  unpricedLimit,
]);

/** Whether a ruling's rule is one of the policy's: then a change of the policy can change the decision. */
export function isPolicyRule(rule: string): boolean {
  return ids.has(rule);
}
