import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { injectWallet } from '../support/browser/inject-wallet.ts';
import { openBrowser } from '../support/browser/open-browser.ts';
import { signInWithToken } from './dashboard-lab.ts';

/**
 * `npm run dashboard:screenshots -- <dev file>`: takes pictures of every page of a running `npm run dev`, on a desktop and a
 * phone, light and dark, into a temporary folder.
 */
const [file = '.tollfree/dev.json', ...only] = process.argv.slice(2);
const dev = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
const folder = mkdtempSync(join(tmpdir(), 'tollfree-pictures-'));

/** Buttons that open a form at the side of a page. */
const forms: Readonly<Record<string, string>> = {
  account: 'New authToken',
  paymasters: 'New paymaster',
  contracts: 'Register a contract',
  policies: 'Import',
  tickets: 'New key',
  webhooks: 'New webhook',
  notifications: 'New notification',
  'gas-tank': 'Deposit',
  budgets: 'New budget',
  members: 'Invite a wallet',
  'api-keys': 'New API key',
};
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const browser = await openBrowser();
for (const [device, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport, colorScheme });
    const [, key] = dev.chain.fundedKeys;
    const account = privateKeyToAccount(key ?? '0x');
    await injectWallet(context, { account, chainId: dev.chain.chainId, nodeUrl: dev.chain.rpcUrl });
    const page = await context.newPage();
    const shoot = async (name: string, { fullPage = true } = {}) => {
      await page.waitForLoadState('networkidle');
      await page.getByText('Loading …').first().waitFor({ state: 'detached' });
      const { scroll, width } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        width: window.innerWidth,
      }));
      if (scroll > width) process.stdout.write(`${name} on ${device} is ${scroll} wide\n`);
      const path = join(folder, `${name}-${device}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage, animations: 'disabled' });
    };
    await page.goto(`${dev.gatewayUrl}/dashboard/`);
    await shoot('sign-in');
    await signInWithToken(page, dev.authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await shoot('overview');
    const paymasters = await page.evaluate(async () => {
      const answer = await fetch('/api/v2/public/sdk/paymaster');
      return (await answer.json()) as { data: { paymasterId: string }[] };
    });
    const base = `paymasters/${paymasters.data[0]?.paymasterId}`;
    for (const path of [
      'account',
      'budgets',
      'members',
      'audit-log',
      'operator',
      'paymasters',
      base,
      ...[
        'api-keys',
        'playground',
        'notifications',
        'contracts',
        'gas-tank',
        'activity',
        'usage',
        'statement',
        'policy',
        'policies',
        'tickets',
        'webhooks',
        'settings',
      ].map((each) => `${base}/${each}`),
    ]) {
      const name = path === base ? 'connect' : (path.split('/').at(-1) ?? path);
      if (only.length > 0 && !only.includes(name)) continue;
      await page.goto(`${dev.gatewayUrl}/dashboard/${path}`);
      await shoot(name);
      const form = forms[name];
      if (form !== undefined) {
        await page.getByRole('button', { name: form, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await shoot(`${name}-form`, { fullPage: false });
      }
      if (name === 'activity') {
        await page.locator('.row-link').first().click();
        await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
        await shoot('decision');
      }
    }
    await context.close();
  }
}
await browser.close();
process.stdout.write(`${folder}\n`);
