import { namedPolicyOperations as namedPolicies } from '@tollfree/contract/named-policy';
import { policyOperations as policies } from '@tollfree/contract/policy';
import { integer, listMessage, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { NamedPolicyPageSchema, NamedPolicySchema, PolicyHeadSchema } from '../named-policy.ts';
import { PolicySchema } from '../policy.ts';
import { PolicyPreviewSchema } from '../policy-preview.ts';
import { LimitUseNowSchema } from '../policy-use.ts';
import { type CoreMethods, inputOf, version } from './core-methods.ts';

/** Policies of a paymaster: the default one and named ones. */
export const policyOperations = {
  /** The paymaster's policy; the default one (fail closed, no limits) while none is set. */
  readPolicy: { input: inputOf(policies.read), value: PolicySchema },
  /** Replaces the policy. `INVALID_FIELD` when it is out of bounds or contradicts itself. */
  setPolicy: { input: request({ ...owned, policy: PolicySchema, ...version }), value: PolicySchema },
  /** How full the limits of the default policy, or the named one, are in their current windows. `POLICY_NOT_FOUND`. */
  readPolicyUse: {
    input: inputOf(policies.readUse),
    value: listMessage('LimitUseNowList', 'uses', LimitUseNowSchema),
  },
  /**
   * Decides the last decisions by the default policy, or the named one, again with a proposed policy: `last` of them (1 to
   * 1,000, 100 by default), or those of the last `days` (1 to 30). Changes nothing.
   */
  previewPolicy: {
    input: request({
      ...owned,
      policy: PolicySchema,
      last: integer.exactOptional(),
      days: integer.exactOptional(),
      /** The named policy whose decisions are replayed. Absent: the default one. */
      policyId: text.exactOptional(),
    }),
    value: PolicyPreviewSchema,
  },
  /**
   * Creates a named policy, which requests choose by its id. `POLICY_NAME_EXISTS`; `TOO_MANY_POLICIES` when the paymaster
   * has the maximum.
   */
  createPolicy: {
    input: request({ ...owned, head: PolicyHeadSchema, policy: PolicySchema }),
    value: NamedPolicySchema,
  },
  /** The named policies of the paymaster by name: from `cursor` on, as many as fit in a page, at least one. */
  listPolicies: { input: request({ ...owned, cursor: text.exactOptional() }), value: NamedPolicyPageSchema },
  /** `POLICY_NOT_FOUND` also for another paymaster's. */
  readNamedPolicy: { input: inputOf(namedPolicies.read), value: NamedPolicySchema },
  /** Replaces a named policy and its head. */
  replacePolicy: {
    input: request({ ...owned, policyId: text, head: PolicyHeadSchema, policy: PolicySchema, ...version }),
    value: NamedPolicySchema,
  },
  /** Requests that name it are refused from then on, including those being processed. */
  deletePolicy: { input: inputOf(namedPolicies.delete), value: NamedPolicySchema },
} as const satisfies CoreMethods;
