import type { PolicyItem } from '@tollfree/contract/policy';
import { describePolicy } from './describe-policy.ts';

/** A policy in sentences. */
export function PolicyText({ policy }: { readonly policy: PolicyItem }) {
  return (
    <ul className="sentences">
      {describePolicy(policy).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
