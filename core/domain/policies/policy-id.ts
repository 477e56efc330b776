import { randomUUID } from 'node:crypto';

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
