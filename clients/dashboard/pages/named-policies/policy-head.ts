import type { NamedPolicyItem } from '@tollfree/contract/named-policy';

/** The name of a named policy, and its texts for users. */
export type PolicyHead = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon'>;
