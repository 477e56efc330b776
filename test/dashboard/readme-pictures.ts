import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import type { DevFile, DevPaymaster } from '../../server/dev/dev-file.ts';
import { injectWallet } from '../support/browser/inject-wallet.ts';
import { openBrowser } from '../support/browser/open-browser.ts';
import { signInWithToken } from './dashboard-lab.ts';

/**
 * `npm run dashboard:pictures -- <dev file>`: takes the pictures of the README from a running `npm run dev`. It has one
 * request refused first, so that there is something to explain.
 */
const [file = '.tollfree/dev.json'] = process.argv.slice(2);
const dev = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
const folder = resolve(import.meta.dirname, '../../clients/dashboard/pictures');

/** Asks for a call of a method that the target does not have, by an account that is known there already. */
async function haveOneRefused({ rpcUrl, apiKey }: DevPaymaster): Promise<void> {
  const headers = { authToken: dev.authToken, apiKey };
  const listed = await fetch(`${dev.gatewayUrl}/api/v2/public/sdk/decision`, { headers });
  const { data } = (await listed.json()) as { data: { decisions: { sender?: string }[] } };
  const word = (hex: string) => hex.replace('0x', '').padStart(64, '0');
  const call = `0xb61d27f6${word(dev.chain.target)}${word('0')}${word('60')}${word('4')}${'deadbeef'.padEnd(64, '0')}`;
  const operation = {
    sender: data.decisions[0]?.sender,
    nonce: '0x2',
    callData: call,
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    signature: `0x${'11'.repeat(65)}`,
  };
  const context = {
    mode: 'SPONSORED',
    sponsorshipInfo: { smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } },
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'pm_getFeeQuoteOrData',
    params: [operation, context],
  });
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

const shown = dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === '0.7');
if (shown === undefined) throw new Error('The development service has no paymaster of EntryPoint 0.7.');
await haveOneRefused(shown);
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, colorScheme: 'light' });
const [, key = '0x'] = dev.chain.fundedKeys;
const { chainId, rpcUrl: nodeUrl } = dev.chain;
await injectWallet(context, { account: privateKeyToAccount(key), chainId, nodeUrl });
const page = await context.newPage();
await page.goto(`${dev.gatewayUrl}/dashboard/`);
await signInWithToken(page, dev.authToken);
await page.getByRole('heading', { name: 'Overview' }).waitFor();
for (const name of ['overview', 'activity', 'decision', 'gas-tank', 'policy']) {
  const path = name === 'decision' ? 'activity' : name;
  const of = name === 'overview' ? '' : `paymasters/${shown.paymasterId}/${path}`;
  await page.goto(`${dev.gatewayUrl}/dashboard/${of}`);
  await page.waitForLoadState('networkidle');
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  if (name === 'decision') {
    await page.locator('.row-link').first().click();
    await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
    await page.getByRole('link', { name: 'Go to the contracts' }).waitFor();
  }
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
process.stdout.write(`${folder}\n`);
