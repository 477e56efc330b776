import {
  NamedPolicyListSchema,
  NamedPolicySchema,
  PolicyHeadSchema,
  SponsoringPolicyListSchema,
  SponsoringPolicySchema,
} from '../../../proto/gen/tollfree/core/v1/named_policy_pb.ts';
import type { SponsoringPolicy } from '../../domain/paymaster-data.ts';
import type { NamedPolicy, NamedPolicyPage, PolicyHead } from '../../domain/policies/named-policy.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';
import { policy } from './policy-messages.ts';

export const policyHead = messageOf<PolicyHead>()(PolicyHeadSchema);

export const namedPolicy = messageOf<NamedPolicy>()(NamedPolicySchema, {
  createdAt: seconds,
  updatedAt: seconds,
  policy: required(policy),
});
export const namedPolicies = messageOf<NamedPolicyPage>()(NamedPolicyListSchema, { policies: listOf(namedPolicy) });

const sponsoringPolicy = messageOf<SponsoringPolicy>()(SponsoringPolicySchema);
export const sponsoringPolicies = soleField(SponsoringPolicyListSchema, listOf(sponsoringPolicy));
