import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, test } from 'vitest';
import { startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { openBrowser } from '../support/browser/open-browser.ts';

/** What test files start, left running until the run is killed. `killed-run.test.ts` runs it, and kills it. */
test('everything is up', async () => {
  await startAnvil({ port: 0, chainId: 31_337 });
  const browser = await openBrowser();
  await (await browser.newContext()).newPage();
  writeFileSync(join(inject('installed'), 'up'), '');
  await new Promise(() => setInterval(() => undefined, 60_000));
});
