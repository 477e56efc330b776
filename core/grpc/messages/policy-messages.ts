import {
  ChangedDecisionSchema,
  CutOffSenderSchema,
  PolicyCallRuleSchema,
  PolicyConditionSchema,
  PolicyLimitSchema,
  PolicyPauseSchema,
  PolicyPreviewSchema,
  PolicySchema,
  PolicyTokensSchema,
} from '../../../proto/gen/tollfree/core/v1/policy_pb.ts';
import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import { accountsPolicies } from '../../domain/accounts-policy.ts';
import {
  type CallCondition,
  type CallRule,
  limitScopes,
  limitUnits,
  limitWindows,
  type Policy,
  type PolicyLimit,
  type PolicyPause,
  type PolicyTokens,
  weekdays,
} from '../../domain/policy.ts';
import type { ChangedDecision, PolicyPreview } from '../../domain/policy-preview.ts';
import { relayPolicies } from '../../domain/relay-config.ts';
import { address } from '../codec/address.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { listOf, texts } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { absentAs } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';
import { trueOrAbsent } from '../codec/true-or-absent.ts';
import { refusalReason } from './refusal-messages.ts';

const pause = messageOf<PolicyPause>()(PolicyPauseSchema, { days: listOf(oneOf(weekdays)) });
const limit = messageOf<PolicyLimit>()(PolicyLimitSchema, {
  per: oneOf(limitScopes),
  window: oneOf(limitWindows),
  unit: oneOf(limitUnits),
  max: decimal,
  contract: hex,
});

const condition = messageOf<CallCondition>()(PolicyConditionSchema, { in: soleField(StringListSchema, texts) });
const callRule = messageOf<CallRule>()(PolicyCallRuleSchema, { contract: hex, where: listOf(condition) });

/** Addresses travel as they were written: whether their checksums are right is for the core to say. */
const addresses = listOf(hex);

export const policy = messageOf<Policy>()(PolicySchema, {
  accounts: absentAs('KNOWN', oneOf(accountsPolicies)),
  relay: absentAs('NEVER', oneOf(relayPolicies)),
  maxCostWei: decimal,
  maxCostUsdMicros: decimal,
  maxFeePerGas: decimal,
  allowedSenders: soleField(StringListSchema, addresses),
  blockedSenders: addresses,
  tokens: messageOf<PolicyTokens>()(PolicyTokensSchema, { allowed: addresses, treasury: hex }),
  notBefore: seconds,
  notAfter: seconds,
  pauses: listOf(pause),
  limits: listOf(limit),
  callRules: listOf(callRule),
});

const changedDecision = messageOf<ChangedDecision>()(ChangedDecisionSchema, {
  decidedAt: seconds,
  sender: address,
  reason: refusalReason,
  offeredTokenPayment: trueOrAbsent,
});
const cutOffSender = messageOf<PolicyPreview['senders'][number]>()(CutOffSenderSchema, { sender: address });

export const policyPreview = messageOf<PolicyPreview>()(PolicyPreviewSchema, {
  since: seconds,
  cutOff: listOf(changedDecision),
  letIn: listOf(changedDecision),
  senders: listOf(cutOffSender),
});
