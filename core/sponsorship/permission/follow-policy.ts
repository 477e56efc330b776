import { type DecisionDraft, noteRuling } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { SponsorProfile } from '../../management/paymasters/sponsor-profile.ts';
import { ruleOnGasPrice } from '../../policies/rules/rule-on-gas-price.ts';
import { ruleOnPause } from '../../policies/rules/rule-on-pause.ts';
import { ruleOnPeriod } from '../../policies/rules/rule-on-period.ts';
import { ruleOnSender } from '../../policies/rules/rule-on-sender.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';

/** The rules of the owner's policy that need nothing but the request and the time. */
export function followPolicy(
  { draft }: SponsorshipRun,
  { policy }: SponsorProfile,
  { sender, maxFeePerGas }: UserOperation,
): Result<true> {
  const now = draft.decidedAt;
  const rulings = [
    ruleOnSender(policy, sender),
    ruleOnPeriod(policy, now),
    ruleOnPause(policy, now),
    ruleOnGasPrice(policy, maxFeePerGas),
  ];
  return follow(draft, rulings, true as const);
}

/** Notes rulings up to the first refusal, which is the answer; with none of them, `value`. */
export function follow<T>(draft: DecisionDraft, rulings: readonly Ruling[], value: T): Result<T> {
  for (const ruling of rulings) {
    noteRuling(draft, ruling);
    if (ruling.refusal !== undefined) return refuse(ruling.refusal);
  }
  return accept(value);
}
