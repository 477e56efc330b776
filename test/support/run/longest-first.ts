import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestTests } from './long-tests.ts';

/** Starts the longest files first, so that no worker is busy long after the others. vitest itself goes by the size of a file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => longestTests.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
