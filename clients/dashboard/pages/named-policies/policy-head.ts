import type { NamedPolicyItem } from '@tollfree/contract/named-policy';

/** What a named policy is called, and what users are told of it. */
export type PolicyHead = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon'>;
