import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders and files that take longest: of random worlds, and of thousands of holds. */
const longest = ['/simulation/', '/ledger/counting-in-steps.'];

/** How much of a machine the tests of a file need, by what they run. */
function cost({ moduleId }: TestSpecification, chainTests: ReadonlySet<string>): number {
  if (longest.some((part) => moduleId.includes(part))) return 2;
  return chainTests.has(moduleId) ? 1 : 0;
}

/**
 * Runs files that need a chain after those that do not, and the longest last: a run ends with the first test that notices
 * the fault. Vitest takes the longest first.
 */
export function cheapestFirst(chainTests: ReadonlySet<string>) {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return files.toSorted(
        (one, other) => cost(one, chainTests) - cost(other, chainTests) || one.moduleId.localeCompare(other.moduleId),
      );
    }
  };
}
