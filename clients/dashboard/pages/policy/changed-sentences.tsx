import type { ReactNode } from 'react';

type ChangedSentencesProps = {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Stands where no sentence differs. */
  readonly otherwise?: ReactNode;
};

/** What a policy said before a change and not after it, crossed out, and what it says only since. */
export function ChangedSentences({ before, after, otherwise }: ChangedSentencesProps) {
  const gone = before.filter((sentence) => !after.includes(sentence));
  const added = after.filter((sentence) => !before.includes(sentence));
  return (
    <ul className="changes">
      {gone.map((sentence) => (
        <li key={sentence}>
          <del>{sentence}</del>
        </li>
      ))}
      {added.map((sentence) => (
        <li key={sentence}>
          <ins>{sentence}</ins>
        </li>
      ))}
      {otherwise !== undefined && gone.length + added.length === 0 ? <li>{otherwise}</li> : null}
    </ul>
  );
}
