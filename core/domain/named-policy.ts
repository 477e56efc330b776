import { randomUUID } from 'node:crypto';
import * as api from '@tollfree/contract/named-policy';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { fieldsOf, flag, listOf, message, text } from '../base/message-schema.ts';
import { PolicySchema } from './policy.ts';

/** The name of a named policy, and whether requests may choose it. Its texts are shown to users. */
export const PolicyHeadSchema = message('PolicyHead', fieldsOfApi(z.object(api.policyHeadFields), { enabled: flag }));
export type PolicyHead = z.output<typeof PolicyHeadSchema>;

/** A named policy of a paymaster: a request chooses it by its id. Times are Unix seconds. */
export const NamedPolicySchema = message('NamedPolicy', {
  ...fieldsOfApi(api.NamedPolicySchema, { policy: PolicySchema }),
  ...fieldsOf(PolicyHeadSchema),
});
export type NamedPolicy = z.output<typeof NamedPolicySchema>;

/** A page of the named policies of a paymaster, by name; `nextCursor` if there are more. */
export const NamedPolicyPageSchema = message('NamedPolicyList', {
  policies: listOf(NamedPolicySchema),
  /** The cursor of the next page. Absent: there are no more. */
  nextCursor: text.exactOptional(),
});
export type NamedPolicyPage = z.output<typeof NamedPolicyPageSchema>;

/** Prefix of the ids of named policies, unique to this service, so that other services' ids can be recognized. */
const prefix = 'tfp_';

/** The unique id of a new named policy. */
export function newPolicyId(): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`;
}

/** Whether an id can only belong to one of our policies, which may have been deleted. */
export function isOwnPolicyId(policyId: string): boolean {
  return policyId.startsWith(prefix);
}
