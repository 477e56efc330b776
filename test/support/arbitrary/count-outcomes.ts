import { expect } from 'vitest';

/** Which branches the runs of a property took. */
export type Outcomes<Outcome extends string> = {
  note(outcome: Outcome): void;
  /** Fails with the branches that no run took: a property that never reaches one of them proves nothing about it. */
  expectAllSeen(): void;
};

/** Counts the branches of a property. Call `note` in each of them, and `expectAllSeen` after `fc.assert`. */
export function countOutcomes<const Outcome extends string>(...outcomes: readonly Outcome[]): Outcomes<Outcome> {
  const unseen = new Set<string>(outcomes);
  return {
    note: (outcome) => void unseen.delete(outcome),
    expectAllSeen: () => expect([...unseen], 'branches that no run of the property took').toEqual([]),
  };
}
