import { omitAbsent } from '@tollfree/contract/omit-absent';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { Ticketed } from './check-ticket.ts';
import { type DecodedCalls, withContent } from './decode-calls.ts';
import { followRulings } from './follow-rulings.ts';
import type { StageDecided } from './stages-decided.ts';

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
    way: contract.location.executors === undefined ? ('CONTRACT' as const) : ('RELAY' as const),
    ...omitAbsent({ subject: ticket?.subject }),
  };
  return followRulings(draft, decideStage('request', { decidedAt: draft.decidedAt, ...facts }, 'SPONSORED'), {
    requestDecided: true as const,
  });
};
