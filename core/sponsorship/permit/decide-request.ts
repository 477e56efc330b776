import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type DecisionDraft, noteRuling } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { PolicyStage, Ruling } from '../../policies/rules/ruling.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked, Step } from '../run/steps.ts';
import type { Ticketed } from './check-ticket.ts';
import { type DecodedCalls, withContent } from './decode-calls.ts';

/** The policy rules that only need the request and the time. */
export const decideRequest: Step<
  Asked & Identified & ReadOperation & DecodedCalls & Ticketed,
  StageDecided<'request'>
> = ({ draft, profile, contract, operation, calls, deploysOnly, ticket }) => {
  const { sender, maxFeePerGas } = operation;
  const { policy, contracts, callRules, calledLimits } = profile;
  const asked = calls.map(withContent);
  const facts = {
    policy,
    contracts,
    callRules,
    calledLimits,
    calls: asked,
    deploysOnly,
    sender,
    maxFeePerGas,
    payer: contract.location.executors === undefined ? ('CONTRACT' as const) : ('RELAY' as const),
    ...omitAbsent({ ticketUser: ticket?.user }),
  };
  return followRulings(draft, decideStage('request', { decidedAt: draft.decidedAt, ...facts }, 'SPONSORED'), {
    requestDecided: true as const,
  });
};

/** Notes rulings up to the first refusal, which is the answer; with none of them, `value`. */
export function followRulings<T>(draft: DecisionDraft, rulings: readonly Ruling[], value: T): Result<T> {
  for (const ruling of rulings) {
    noteRuling(draft, ruling);
    if (ruling.refusal !== undefined) return refuse(ruling.refusal);
  }
  return accept(value);
}

/** Marks that a stage of the policy has been decided for the request. */
export type StageDecided<Stage extends PolicyStage> = { readonly [Name in Stage as `${Name}Decided`]: true };

/**
 * Marks that all stages before the hold have been decided. Holding for a sponsorship requires this type, so a pipeline
 * without one of the stages does not compile.
 */
export type StagesDecided = StageDecided<Exclude<PolicyStage, 'hold'>>;

/** Marks that all stages before the hold have been decided in token mode, where the account's code does not matter, since its user pays. */
export type TokenStagesDecided = StageDecided<Exclude<PolicyStage, 'hold' | 'account'>>;
