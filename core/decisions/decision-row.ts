import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { DecisionOutcome } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import type { DecisionRow } from '../store/decision-tables.ts';
import type { DecisionDraft } from './decision-draft.ts';
import { encodeDecisionRecord, factsOf } from './decision-record.ts';
import { storedRequest } from './request-record.ts';

/** A decision in stored form; undefined if the request named no paymaster of ours. */
export function decisionRow(
  draft: DecisionDraft,
  outcome: DecisionOutcome,
  refusal: Refusal | undefined,
): DecisionRow | undefined {
  if (draft.paymasterId === undefined) return undefined;
  const facts = factsOf(draft);
  const { contents = [] } = draft;
  return {
    decision_id: draft.decisionId,
    paymaster_id: draft.paymasterId,
    policy_id: draft.policyId ?? '',
    chain_id: draft.chainId,
    method: draft.method,
    outcome,
    mode: draft.mode ?? null,
    reason: refusal?.reason ?? null,
    sender: draft.operation?.sender ?? null,
    nonce: draft.operation?.nonce.toString() ?? null,
    token: draft.token ?? null,
    hold_id: null,
    ...encodeDecisionRecord(
      {
        ...omitAbsent({ message: refusal?.message, facts }),
        ...(contents.length === 0 ? {} : { contents }),
        trace: draft.trace,
      },
      storedRequest(draft.method, draft.request),
    ),
    created_at: draft.decidedAt,
    called: facts ?? { calls: [] },
  };
}
