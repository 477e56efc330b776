// Prints what failed and the closing line of a CI run, and exits 1 on any failure: from the exit code of the check, then a
// report of the test runner and its exit code for each run. A log that is kept only in part keeps its end: so the failures
// are named once more here.
import { readFileSync } from 'node:fs';

const [check, ...runs] = process.argv.slice(2);

function readReport(reportFile) {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  }
}

const longestMessage = 2_000;

function describeFailures({ testResults = [] }) {
  return testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const tests = file.assertionResults.filter((test) => test.status === 'failed');
      if (tests.length === 0) return [`FAILED ${file.name}\n${file.message.slice(0, longestMessage)}`];
      return tests.map(
        (test) => `FAILED ${file.name} > ${test.fullName}\n${test.failureMessages.join('\n').slice(0, longestMessage)}`,
      );
    });
}

const hasCheck = check === '0';
const sums = { passed: hasCheck ? 1 : 0, failed: hasCheck ? 0 : 1, skipped: 0 };
let isComplete = runs.length > 0;
for (let index = 0; index < runs.length; index += 2) {
  const report = readReport(runs[index]);
  for (const failure of describeFailures(report)) console.log(failure);
  sums.passed += report.numPassedTests;
  sums.skipped += report.numPendingTests;
  // A run that failed without a failed test (a file that does not load, say) still counts as one failure.
  sums.failed += runs[index + 1] === '0' ? report.numFailedTests : Math.max(report.numFailedTests, 1);
  if (report.numPassedTests === 0) isComplete = false;
}
const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : '';
console.log(`${sums.passed} passed, ${sums.failed} failed${skipped}`);
process.exit(sums.failed === 0 && isComplete ? 0 : 1);
