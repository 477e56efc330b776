import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationStatus } from '@tollfree/contract/operation-status';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { injectWallet } from '../support/browser/inject-wallet.ts';
import { openBrowser } from '../support/browser/open-browser.ts';
import { signInWithToken } from './dashboard-lab.ts';
import { tellStory } from './picture-story.ts';

/**
 * `npm run dashboard:screenshots -- <dev file> [names of pictures]`: takes pictures of every page of a running `npm run dev`,
 * filled with a story, on a desktop and a phone, light and dark, into a temporary folder.
 */
const [file = '.tollfree/dev.json', ...only] = process.argv.slice(2);
const dev = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
const folder = mkdtempSync(join(tmpdir(), 'tollfree-pictures-'));

/** One picture: where it is taken, and what is done there before. */
type Picture = {
  readonly name: string;
  /** Below `/dashboard/`, or from the service's root if it begins with `/`. */
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** The window instead of the whole page. */
  readonly isWindow?: boolean;
};

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

/** Opens a form at the side of a page. */
function formOf(name: string, path: string, button: string): Picture {
  const act = async (page: Page) => {
    await press(button)(page);
    await page.getByRole('dialog').waitFor();
  };
  return { name: `${name}-form`, path, act, isWindow: true };
}

/** The newest operation with a status. */
function operation(name: string, base: string, status: OperationStatus): Picture {
  const act = async (page: Page) => {
    await page.locator('.row-link').first().click();
    await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
  };
  return { name, path: `${base}/activity?status=${status}`, act };
}

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(text);
}

function listPictures(base: string, policyId: string): readonly Picture[] {
  const plain = (name: string, path = `${base}/${name}`): Picture => ({ name, path });
  return [
    plain('overview', ''),
    plain('account', 'account'),
    plain('budgets', 'budgets'),
    plain('members', 'members'),
    plain('audit-log', 'audit-log'),
    plain('operator', 'operator'),
    plain('paymasters', 'paymasters'),
    plain('connect', base),
    plain('api-keys'),
    plain('playground'),
    plain('notifications'),
    plain('contracts'),
    plain('gas-tank'),
    plain('activity'),
    plain('usage'),
    plain('statement'),
    plain('statement-all', `${base}/statement?of=all`),
    plain('policy'),
    plain('policies'),
    plain('named-policy', `${base}/policies/${policyId}`),
    plain('tickets'),
    plain('webhooks'),
    plain('settings'),
    operation('operation-landed', base, 'included'),
    operation('operation-refused', base, 'refused'),
    { name: 'find', path: '', act: (page) => find(page, ''), isWindow: true },
    { name: 'find-words', path: `${base}/policy`, act: (page) => find(page, 'stop'), isWindow: true },
    {
      name: 'policy-changed',
      path: `${base}/policy`,
      act: async (page) => {
        await page.getByLabel('Most for one operation, in USD').fill('0.10');
        const preview = page.getByRole('region', { name: 'Preview' });
        await preview.getByText('would be refused').first().waitFor();
        // Of this draft, not of the one before.
        await preview.and(page.locator('[aria-busy="false"]')).waitFor();
      },
    },
    formOf('account', 'account', 'New authToken'),
    formOf('paymasters', 'paymasters', 'New paymaster'),
    formOf('contracts', `${base}/contracts`, 'Register a contract'),
    formOf('policies', `${base}/policies`, 'New policy'),
    formOf('tickets', `${base}/tickets`, 'New key'),
    formOf('webhooks', `${base}/webhooks`, 'New webhook'),
    formOf('notifications', `${base}/notifications`, 'New notification'),
    formOf('gas-tank', `${base}/gas-tank`, 'Deposit'),
    formOf('budgets', 'budgets', 'New budget'),
    formOf('members', 'members', 'Invite a wallet'),
    formOf('api-keys', `${base}/api-keys`, 'New API key'),
    { name: 'docs', path: '/docs', isWindow: true },
    { name: 'docs-page', path: '/docs/limits', isWindow: true },
  ];
}

/** The overview of an account that has nothing but a paymaster: the wallet's own, made the first time. */
async function openFreshAccount(page: Page): Promise<void> {
  await page.goto(`${dev.gatewayUrl}/dashboard/`);
  await press('Sign in with Test Wallet')(page);
  const create = page.getByRole('link', { name: 'Create your first paymaster' });
  const setUp = page.getByRole('heading', { name: /^Set up / });
  await create.or(setUp).first().waitFor();
  if ((await create.count()) === 0) return;
  await create.click();
  await press('New paymaster')(page);
  await page.getByLabel('Name').fill('loyalty');
  await press('Create paymaster')(page);
  await page.getByText('Waiting for your first request …').waitFor();
  await page.goto(`${dev.gatewayUrl}/dashboard/`);
  await setUp.waitFor();
}

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

async function shoot(page: Page, { name, isWindow = false }: Pick<Picture, 'name' | 'isWindow'>, kind: string) {
  await page.waitForLoadState('networkidle');
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: window.innerWidth,
  }));
  if (scroll > width) process.stdout.write(`${name} ${kind} is ${scroll} wide\n`);
  const path = join(folder, `${name}-${kind}.png`);
  await page.screenshot({ path, fullPage: !isWindow, animations: 'disabled' });
}

await tellStory(dev);
const [first] = dev.paymasters;
if (first === undefined) throw new Error('The development service has no paymaster.');
const management = createManagementClient({ baseUrl: dev.gatewayUrl, authToken: dev.authToken, apiKey: first.apiKey });
const [named] = await management.listPolicies();
const pictures = listPictures(`paymasters/${first.paymasterId}`, named?.policyId ?? '');
const isAsked = (name: string) => only.length === 0 || only.includes(name);
const browser = await openBrowser();
for (const [device, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const kind = `${device}-${colorScheme}`;
    const context = await browser.newContext({ viewport, colorScheme });
    const [, key] = dev.chain.fundedKeys;
    const account = privateKeyToAccount(key ?? '0x');
    await injectWallet(context, { account, chainId: dev.chain.chainId, nodeUrl: dev.chain.rpcUrl });
    const page = await context.newPage();
    await page.goto(`${dev.gatewayUrl}/dashboard/`);
    await page.getByLabel('authToken', { exact: true }).waitFor();
    if (isAsked('sign-in')) await shoot(page, { name: 'sign-in' }, kind);
    if (isAsked('set-up')) {
      await openFreshAccount(page);
      await shoot(page, { name: 'set-up' }, kind);
      await context.clearCookies();
      await page.goto(`${dev.gatewayUrl}/dashboard/`);
    }
    await signInWithToken(page, dev.authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const picture of pictures.filter(({ name }) => isAsked(name))) {
      const { path, act } = picture;
      await page.goto(`${dev.gatewayUrl}${path.startsWith('/') ? path : `/dashboard/${path}`}`);
      await page.waitForLoadState('networkidle');
      await act?.(page).catch((error) => process.stdout.write(`${picture.name} ${kind}: ${error}\n`));
      await shoot(page, picture, kind);
      // A form or a draft of one picture is not in the next.
      await page.evaluate(() => sessionStorage.clear());
    }
    await context.close();
  }
}
await browser.close();
process.stdout.write(`${folder}\n`);
