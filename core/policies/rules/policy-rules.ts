import { type Address, zeroAddress } from 'viem';
import type { DecidedAccount } from '../../domain/decision.ts';
import { limitScopes, limitUnits, limitWindows, type Policy } from '../../domain/policy.ts';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import type { AskedCall, CallRules } from '../call-rules/call-rules.ts';
import type { CalledLimits } from '../called-limits.ts';
import { argumentsRule, ruleOnArguments } from './rule-on-arguments.ts';
import { type AskedCalls, ruleOnCalls } from './rule-on-calls.ts';
import { type OperationCost, ruleOnCost } from './rule-on-cost.ts';
import { ruleOnGas, ruleOnGasPrice, ruleOnMethodGas, ruleOnRelayGasPrice } from './rule-on-gas.ts';
import { type LimitCount, limitRuleId, ruleOnCalledLimits, ruleOnLimit, unpricedLimit } from './rule-on-limit.ts';
import { ruleOnRelay, type SponsoringPayer } from './rule-on-relay.ts';
import { ruleOnAccount, ruleOnSender } from './rule-on-sender.ts';
import { ruleOnTicket } from './rule-on-ticket.ts';
import { ruleOnPause, ruleOnPeriod } from './rule-on-time.ts';
import { ruleOnShare, ruleOnToken } from './rule-on-token.ts';
import type { PolicyStage, Ruling, SponsoredContracts } from './ruling.ts';

/** A policy, the registered contracts, its rules on their arguments, and its limits on them. */
export type Proposed = {
  readonly policy: Policy;
  readonly contracts: SponsoredContracts;
  readonly callRules: CallRules;
  readonly calledLimits: CalledLimits;
};

/**
 * The input of each stage's rules. `decidedAt` in Unix seconds, `maxFeePerGas` in wei: of a relayed operation what its bundle
 * may cost, as far as known.
 */
export type StageFacts = {
  /**
   * Only the request and the time. `token` is the token the user wants to pay in, `ticketUser` the ticket's user, `payer` how a
   * sponsored operation reaches the chain (by a paymaster contract when absent).
   */
  readonly request: Proposed &
    AskedCalls & {
      readonly calls: readonly AskedCall[];
      readonly sender: Address;
      readonly maxFeePerGas: bigint;
      readonly decidedAt: number;
      readonly token?: Address;
      readonly ticketUser?: string;
      readonly payer?: SponsoringPayer;
    };
  /** Whose code runs for the sender; undefined if it could not be determined. */
  readonly account: { readonly policy: Policy; readonly account: DecidedAccount | undefined };
  /** The sum of the operation's gas limits, its `callGasLimit` and the calls that it is for, and the maximum cost. */
  readonly cost: Pick<Proposed, 'policy' | 'calledLimits'> & {
    readonly calls: readonly AskedCall[];
    readonly gas: bigint | undefined;
    readonly callGas: bigint | undefined;
  } & OperationCost;
  /** The counts so far, read in the transaction of the hold. */
  readonly hold: { readonly counts: readonly LimitCount[] };
};

/**
 * A rule, and whether it binds operations of each mode; the type requires an answer for each. `after limits` binds if the
 * policy lets users pay for what its limits no longer sponsor (`thenPayInToken`). Both `after limits` and `shared` bind if
 * users pay a part (`userPaysPercent`): forbidden calls stay forbidden when paid for.
 */
export type PolicyRule<Stage extends PolicyStage> = {
  readonly binds: Readonly<Record<SponsorshipMode, boolean | 'after limits' | 'shared'>>;
  decide(facts: StageFacts[Stage]): readonly Ruling[];
};

/** Rules by the id of their rulings, in the order in which they decide. Each limit also has an id of its own. */
type RulesOf<Stage extends PolicyStage> = Readonly<Record<string, PolicyRule<Stage>>>;

/** Rules on who, when and at which price, whoever pays: the gas tank advances the cost. */
const always = { SPONSORED: true, ERC20: true } as const;
/** Rules on what may be called at all, and by whose code. */
const alsoAfterLimits = { SPONSORED: true, ERC20: 'after limits' } as const;
/** Rules on what the application gives for free, in whole or in part. */
const whatIsGiven = { SPONSORED: true, ERC20: 'shared' } as const;
const whenSponsored = { SPONSORED: true, ERC20: false } as const;
const whenPaidInTokens = { SPONSORED: false, ERC20: true } as const;

/**
 * The rules of a policy. The live decision, its explanation and the preview all use this list, in its order; the types do
 * not allow leaving out a stage. Rules are pure.
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
    'policy-ticket': { binds: always, decide: ({ policy, ticketUser }) => ruleOnTicket(policy, ticketUser) },
    'policy-sender': { binds: always, decide: ({ policy, sender }) => [ruleOnSender(policy, sender)] },
    'policy-period': { binds: always, decide: ({ policy, decidedAt }) => [ruleOnPeriod(policy, decidedAt)] },
    'policy-pause': { binds: always, decide: ({ policy, decidedAt }) => [ruleOnPause(policy, decidedAt)] },
    'policy-gas-price': { binds: always, decide: decideGasPrice },
    'policy-relay': { binds: whenSponsored, decide: ({ policy, payer = 'CONTRACT' }) => ruleOnRelay(policy, payer) },
    // The last rule, so that a caller who is asked to pay a share is not refused afterwards for something known now.
    'policy-share': { binds: whenSponsored, decide: ({ policy }) => ruleOnShare(policy) },
  },
  account: {
    'policy-accounts': { binds: alsoAfterLimits, decide: ({ policy, account }) => [ruleOnAccount(policy, account)] },
  },
  cost: {
    'policy-gas': { binds: always, decide: ({ policy, gas }) => [ruleOnGas(policy, gas)] },
    'policy-method-gas': { binds: whatIsGiven, decide: ruleOnMethodGas },
    'policy-cost': { binds: always, decide: (facts) => [ruleOnCost(facts.policy, facts)] },
  },
  hold: {
    // Nothing is counted where nothing is given for free.
    'policy-limits': { binds: always, decide: ({ counts }) => counts.map(ruleOnLimit) },
  },
};

/** A relayed operation has no fees: its price is decided once it is known, and 0 here before that. */
function decideGasPrice({ policy, payer, maxFeePerGas }: StageFacts['request']): readonly Ruling[] {
  if (payer !== 'RELAY') return [ruleOnGasPrice(policy, maxFeePerGas)];
  return maxFeePerGas === 0n ? [] : [ruleOnRelayGasPrice(policy, maxFeePerGas)];
}

/** A limit is on everything, on a contract, or on a method; its rule does not depend on which. */
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

/** Whether a ruling's rule belongs to the policy, so that a policy change can change the decision. */
export function isPolicyRule(rule: string): boolean {
  return ids.has(rule);
}
