import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';

/** A named policy in a file: its name replaces its id. */
export type NamedEntry = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon' | 'enabled' | 'policy'>;

/** The content of a policy file, with complete policies in the form of the service's answers. */
export type PolicyDocument = {
  readonly paymasterId?: string;
  readonly policy: PolicyItem;
  /** Absent: named policies are not changed. */
  readonly policies?: readonly NamedEntry[];
};
