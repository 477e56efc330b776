import type { Address } from 'viem';
import type { DecidedAccount } from '../../domain/decision.ts';
import type { Policy } from '../../domain/policy.ts';
import type { PolicyStage } from './rule-ids.ts';
import { ruleOnAccount } from './rule-on-account.ts';
import { type AskedCalls, ruleOnCalls } from './rule-on-calls.ts';
import { type OperationCost, ruleOnCost } from './rule-on-cost.ts';
import { ruleOnGas } from './rule-on-gas.ts';
import { ruleOnGasPrice } from './rule-on-gas-price.ts';
import { type LimitCount, ruleOnLimit } from './rule-on-limit.ts';
import { ruleOnPause } from './rule-on-pause.ts';
import { ruleOnPeriod } from './rule-on-period.ts';
import { ruleOnSender } from './rule-on-sender.ts';
import type { Ruling } from './ruling.ts';
import type { SponsoredContracts } from './sponsored-contracts.ts';

/** A policy, and the contracts registered beside it. */
export type Proposed = { readonly policy: Policy; readonly contracts: SponsoredContracts };

/** What the rules of each stage decide on. `decidedAt` in Unix seconds, `maxFeePerGas` in wei. */
export type StageFacts = {
  /** The request and the time alone. */
  readonly request: Proposed &
    AskedCalls & { readonly sender: Address; readonly maxFeePerGas: bigint; readonly decidedAt: number };
  /** Whose code runs for the sender; undefined where nobody could tell. */
  readonly account: { readonly policy: Policy; readonly account: DecidedAccount | undefined };
  /** The sum of the operation's gas limits, and what it can cost with them. */
  readonly cost: { readonly policy: Policy; readonly gas: bigint | undefined } & OperationCost;
  /** What has been counted so far; read in the transaction of the hold. */
  readonly hold: { readonly counts: readonly LimitCount[] };
};

/** Rules by the id of their rulings, in the order in which they decide. A limit has an id of its own besides. */
type RulesOf<Stage extends PolicyStage> = Readonly<Record<string, (facts: StageFacts[Stage]) => readonly Ruling[]>>;

/**
 * The rules of a policy. The live decision, its explanation and the preview of a policy all decide with this list, in its
 * order: a stage that one of the three leaves out does not compile. Rules are pure.
 */
export const policyRules: { readonly [Stage in PolicyStage]: RulesOf<Stage> } = {
  request: {
    'policy-calls': (facts) => [ruleOnCalls(facts, facts)],
    'policy-sender': ({ policy, sender }) => [ruleOnSender(policy, sender)],
    'policy-period': ({ policy, decidedAt }) => [ruleOnPeriod(policy, decidedAt)],
    'policy-pause': ({ policy, decidedAt }) => [ruleOnPause(policy, decidedAt)],
    'policy-gas-price': ({ policy, maxFeePerGas }) => [ruleOnGasPrice(policy, maxFeePerGas)],
  },
  account: {
    'policy-accounts': ({ policy, account }) => [ruleOnAccount(policy, account)],
  },
  cost: {
    'policy-gas': ({ policy, gas }) => [ruleOnGas(policy, gas)],
    'policy-cost': (facts) => [ruleOnCost(facts.policy, facts)],
  },
  hold: {
    'policy-limits': ({ counts }) => counts.map(ruleOnLimit),
  },
};
