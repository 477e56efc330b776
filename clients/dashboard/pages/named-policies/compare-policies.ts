import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { FilePolicy } from '../policy/read-policy-file.ts';

export type ImportStep = {
  readonly policy: FilePolicy;
  readonly change: 'create' | 'replace' | 'none';
  /** Of the policy with this name that is there. */
  readonly policyId: string | undefined;
};

/** What an import does with each policy of a file, by its name. Policies that the file does not have stay as they are. */
export function comparePolicies(
  file: readonly FilePolicy[],
  current: readonly NamedPolicyItem[],
): readonly ImportStep[] {
  return file.map((policy) => {
    const known = current.find(({ name }) => name === policy.name);
    if (known === undefined) return { policy, change: 'create', policyId: undefined };
    const { policyId, createdAt: _, updatedAt: __, ...fields } = known;
    return { policy, change: sorted(fields) === sorted(policy) ? 'none' : 'replace', policyId };
  });
}

/** JSON whose keys have one order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
