import { Notice } from '../../parts/problem.tsx';

/** What is to be known after a contract was registered or deleted. */
export type NotedChange = {
  /** The rules of the policy on arguments that it broke. */
  readonly brokenRules?: readonly string[] | undefined;
  /** The chain has no code at its address. */
  readonly hasNoCode?: true | undefined;
};

/** What the last change of a contract needs someone to look at, if anything. */
export function ChangeNotes({ brokenRules = [], hasNoCode }: NotedChange) {
  return (
    <>
      {hasNoCode === true ? (
        <Notice kind="warn">
          The chain has no contract at this address. Check the address, or deploy the contract.
        </Notice>
      ) : null}
      {brokenRules.length === 0 ? null : (
        <Notice kind="warn">
          <p>The policy has rules that no longer fit, so calls to their contracts are refused:</p>
          <ul>
            {brokenRules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
