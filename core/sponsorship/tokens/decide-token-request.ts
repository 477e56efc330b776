import type { Address } from 'viem';
import type { Result } from '../../domain/result/result.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import { followRulings } from '../permission/follow-rulings.ts';
import type { StageDecided } from '../permission/stages-decided.ts';
import type { Identified } from '../request/identify.ts';
import type { PaidCalls } from '../request/paid-calls.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { Ticketed } from '../ticket/check-ticket.ts';
import type { FeeToken } from './choose-fee-token.ts';

type Needed = Asked & Identified & ReadOperation & Ticketed & PaidCalls;

/** The same rules for an operation that the user pays for: those that bind token mode. */
export const decideTokenRequest: Step<Needed & FeeToken, StageDecided<'request'>> = (request) =>
  decide(request, request.token.address);

/** The same before a token is chosen. */
export const decideQuoteRequest: Step<Needed, StageDecided<'request'>> = (request) => decide(request, undefined);

function decide(
  { draft, profile, operation, ticket, paidCalls }: Needed,
  token: Address | undefined,
): Result<StageDecided<'request'>> {
  const { policy, contracts, callRules, calledLimits } = profile;
  const { sender, maxFeePerGas } = operation;
  const calls = (paidCalls?.judged ?? []).map(({ value, data, ...call }) => ({ content: { value, data }, ...call }));
  const deploysOnly = paidCalls?.deploysOnly ?? false;
  const asked = { calls, deploysOnly, sender, maxFeePerGas, decidedAt: draft.decidedAt };
  const facts = {
    ...{ policy, contracts, callRules, calledLimits },
    ...asked,
    ...omitAbsent({ token, subject: ticket?.subject }),
  };
  return followRulings(draft, decideStage('request', facts, 'ERC20'), { requestDecided: true as const });
}
