import { Notice } from '../../parts/problem.tsx';

/** The rules on arguments that the last change of a contract broke, if any. */
export function BrokenRules({ rules }: { readonly rules: readonly string[] }) {
  if (rules.length === 0) return null;
  return (
    <Notice kind="warn">
      <p>The policy has rules that no longer fit, so calls to their contracts are refused:</p>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Notice>
  );
}
