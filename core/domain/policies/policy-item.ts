import { toDomain, toWire } from '@tollfree/contract/fields/form';
import type { PolicyItem } from '@tollfree/contract/policy';
import { PolicyRequestSchema, PolicySchema } from '@tollfree/contract/policy-fields';
import type { z } from 'zod';
import type { Policy } from '../policy.ts';

/** The policy that a request proposes, which the schema has parsed. The core checks the checksums of addresses. */
export function readPolicyRequest(request: z.output<typeof PolicyRequestSchema>): Policy {
  return toDomain(PolicyRequestSchema, request) as Policy; // the schema's form is that of the policy
}

/** A policy as the interface has it. As a request, it sets the same policy. */
export function policyItem(policy: Policy): PolicyItem {
  return toWire(PolicySchema, policy) as PolicyItem; // the schema's form is that of the policy
}
