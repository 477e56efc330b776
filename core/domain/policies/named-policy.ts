import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { fieldsOf, flag, listOf, message, seconds, text } from '../../base/message-schema.ts';
import { PolicySchema } from '../policy.ts';

/** What a named policy is called, and whether requests may choose it. Its texts are shown to users. */
export const PolicyHeadSchema = message('PolicyHead', {
  /** Unique per paymaster. */
  name: text,
  /** Absent when there is none. */
  description: text.exactOptional(),
  /** Who sponsors; the paymaster's name stands for it when absent. */
  author: text.exactOptional(),
  /** A picture as a data URI (RFC 2397), as ERC-7677 wants it. */
  icon: text.exactOptional(),
  enabled: flag,
});
export type PolicyHead = z.output<typeof PolicyHeadSchema>;

/** A policy next to the default one of a paymaster: a request chooses it by its id. Times are Unix seconds. */
export const NamedPolicySchema = message('NamedPolicy', {
  ...fieldsOf(PolicyHeadSchema),
  policyId: text,
  createdAt: seconds,
  updatedAt: seconds,
  policy: PolicySchema,
});
export type NamedPolicy = z.output<typeof NamedPolicySchema>;

/** A page of the named policies of a paymaster, by name; `nextCursor` where there are more. */
export const NamedPolicyPageSchema = message('NamedPolicyList', {
  policies: listOf(NamedPolicySchema),
  /** The cursor of the next page. Absent: there are no more. */
  nextCursor: text.exactOptional(),
});
export type NamedPolicyPage = z.output<typeof NamedPolicyPageSchema>;

/** With which the ids of named policies begin: no other service's do, so that theirs can be told apart. */
const prefix = 'tfp_';

/** The id of a new named policy; none is given twice. */
export function newPolicyId(): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`;
}

/** Whether an id can only be meant for a policy of ours, which may be deleted by now. */
export function isOwnPolicyId(policyId: string): boolean {
  return policyId.startsWith(prefix);
}
