import { expect, test } from 'vitest';
import { planBrowserTests } from '../support/browser/describe-in-browser.ts';

test.each([
  ['run with a browser', true, undefined, 'run'],
  ['run with a browser in CI', true, 'true', 'run'],
  ['are skipped without a browser', false, undefined, 'skip'],
  ['are skipped without a browser where CI is switched off', false, 'false', 'skip'],
  ['fail in CI without a browser', false, 'true', 'fail'],
  ['fail without a browser where CI has another value', false, '1', 'fail'],
])('tests in a browser %s', (_, hasBrowser, ci, plan) => {
  expect(planBrowserTests(hasBrowser, ci)).toBe(plan);
});
