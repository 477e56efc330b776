import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import type { Result } from '../../domain/result/result.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import { followRulings, type StageDecided } from '../permit/decide-request.ts';
import type { PaidCalls } from '../permit/decode-calls.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { FeeToken } from './choose-tokens.ts';

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
