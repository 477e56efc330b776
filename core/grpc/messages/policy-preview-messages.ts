import {
  ChangedDecisionSchema,
  CutOffSenderSchema,
  PolicyPreviewSchema,
} from '../../../proto/gen/tollfree/core/v1/policy_pb.ts';
import type { ChangedDecision, PolicyPreview } from '../../domain/policy-preview.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readReason } from './refusal-messages.ts';
import { readAddress, readOptionalSeconds, readSeconds, writeOptionalSeconds, writeSeconds } from './scalars.ts';

const changedDecisionConverter = converter(
  ChangedDecisionSchema,
  (decision: ChangedDecision) => ({ ...decision, decidedAt: writeSeconds(decision.decidedAt) }),
  ({ decisionId, decidedAt, sender, reason, rule, message }): ChangedDecision => ({
    decisionId,
    decidedAt: readSeconds(decidedAt),
    sender: readAddress(sender),
    reason: readReason(reason),
    rule,
    message,
  }),
);

const cutOffSenderConverter = converter(
  CutOffSenderSchema,
  (count: PolicyPreview['senders'][number]) => count,
  ({ sender, cutOff }): PolicyPreview['senders'][number] => ({ sender: readAddress(sender), cutOff }),
);

export const policyPreviewConverter = converter(
  PolicyPreviewSchema,
  ({ since, cutOff, letIn, senders, ...counts }: PolicyPreview) =>
    omitAbsent({
      ...counts,
      since: writeOptionalSeconds(since),
      cutOff: cutOff.map(changedDecisionConverter.toMessage),
      letIn: letIn.map(changedDecisionConverter.toMessage),
      senders: senders.map(cutOffSenderConverter.toMessage),
    }),
  (message): PolicyPreview =>
    omitAbsent({
      replayed: message.replayed,
      since: readOptionalSeconds(message.since),
      unpriced: message.unpriced,
      cutOff: message.cutOff.map(changedDecisionConverter.toDomain),
      letIn: message.letIn.map(changedDecisionConverter.toDomain),
      senders: message.senders.map(cutOffSenderConverter.toDomain),
    }),
);
