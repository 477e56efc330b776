import { describe, test } from 'vitest';
import { chromiumPath, hasChromium } from './open-browser.ts';

/**
 * What happens to tests in a browser. In CI a missing browser fails them: skipped, they would leave a green run that opened no
 * page.
 */
export function planBrowserTests(hasBrowser: boolean, ci: string | undefined): 'run' | 'skip' | 'fail' {
  if (hasBrowser) return 'run';
  return ci === undefined || ['', '0', 'false'].includes(ci) ? 'skip' : 'fail';
}

const plan = planBrowserTests(hasChromium, process.env.CI);
const missing = `there is no ${chromiumPath} (apt-get install chromium)`;

/** Tests that need Chromium, or the dashboard, which is built only where Chromium is. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (plan === 'run') return void describe(title, tests);
  if (plan === 'skip') return void test.skip(`${title}: skipped, ${missing}`);
  test(title, () => {
    throw new Error(`Tests in CI need a browser: ${missing}.`);
  });
}
