import { toDomain, toWire } from '@tollfree/contract/fields/form';
import type { PolicyItem } from '@tollfree/contract/policy';
import { PolicyRequestSchema, PolicySchema } from '@tollfree/contract/policy-fields';
import type { z } from 'zod';
import type { Policy } from './policy.ts';

/** The proposed policy in a request, parsed by the schema. The core checks the checksums of addresses. */
export function readPolicyRequest(request: z.output<typeof PolicyRequestSchema>): Policy {
  return toDomain(PolicyRequestSchema, request) as Policy; // the schema's form is that of the policy
}

/** A policy in the form of the API. Sent as a request, it sets the same policy. */
export function policyItem(policy: Policy): PolicyItem {
  return toWire(PolicySchema, policy) as PolicyItem; // the schema's form is that of the policy
}
