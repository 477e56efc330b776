// Prints what failed and the closing line of a CI run, from the test runner's report and the two exit codes, and exits 1
// on any failure. A log that is kept only in part keeps its end: so the failures are named once more here.
import { readFileSync } from 'node:fs';

const [reportFile, tests, check] = process.argv.slice(2);

function readReport() {
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

const report = readReport();
for (const failure of describeFailures(report)) console.log(failure);
const passed = report.numPassedTests + (check === '0' ? 1 : 0);
// A run that failed without a failed test (a file that does not load, say) still counts as one failure.
const failedTests = tests === '0' ? report.numFailedTests : Math.max(report.numFailedTests, 1);
const failed = failedTests + (check === '0' ? 0 : 1);
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 && report.numPassedTests > 0 ? 0 : 1);
