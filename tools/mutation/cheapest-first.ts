import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest folders and files: random worlds, and thousands of holds. */
const longest = ['/simulation/', '/ledger/counting-in-steps.'];

/** The relative cost of a test file, by what it starts. */
function cost({ moduleId }: TestSpecification, chainTests: ReadonlySet<string>): number {
  if (longest.some((part) => moduleId.includes(part))) return 2;
  return chainTests.has(moduleId) ? 1 : 0;
}

/**
 * Runs files without a chain before those with one, and the slowest last: a run ends with the first test that detects the
 * mutant. Vitest runs the slowest first.
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
