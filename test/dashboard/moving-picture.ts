import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { createPublicClient, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { openBrowser } from '../support/browser/open-browser.ts';
import { signInWithToken } from './dashboard-lab.ts';
import { type Frame, joinFrames } from './join-frames.ts';

/**
 * `npm run dashboard:picture -- <dev file>`: takes the moving picture of the README from a running `npm run dev`. A method that
 * is not sponsored is refused, sponsored with a button, and asked for again.
 */
const [file = '.tollfree/dev.json'] = process.argv.slice(2);
const dev = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
const picture = resolve(import.meta.dirname, '../../clients/dashboard/pictures/refusal-to-fix.png');

const paymaster = dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === '0.8');
if (paymaster === undefined) throw new Error('The development service has no paymaster of EntryPoint 0.8.');
const client = createPublicClient({ chain: foundry, transport: http(dev.chain.rpcUrl), pollingInterval: 50 });
const account = await toSimpleSmartAccount({
  client,
  owner: privateKeyToAccount(generatePrivateKey()),
  entryPoint: { address: paymaster.entryPoint, version: '0.8' },
  factoryAddress: dev.chain.accountFactories['0.8'],
});
const bundlerClient = createBundlerClient({
  account,
  client,
  transport: http(dev.bundlerUrl),
  paymaster: createPaymasterClient({ transport: http(paymaster.rpcUrl) }),
});

/** Whether the operation landed; a refusal is none that did. */
async function send(functionName: string, args: readonly unknown[] = []): Promise<boolean> {
  try {
    const call = { to: dev.chain.target, abi: dev.chain.targetAbi, functionName, args };
    const hash = await bundlerClient.sendUserOperation({ calls: [call] });
    return (await bundlerClient.waitForUserOperationReceipt({ hash })).success;
  } catch {
    return false;
  }
}

const management = createManagementClient({
  baseUrl: dev.gatewayUrl,
  authToken: dev.authToken,
  apiKey: paymaster.apiKey,
});
const { target: address } = dev.chain;
await management.updateSmartContract({ address, whitelistedMethods: ['increment', 'pay'] });
if (await send('record', ['hello'])) throw new Error('The operation was not refused.');
const browser = await openBrowser();
const context = await browser.newContext({ viewport: { width: 1_280, height: 720 }, colorScheme: 'light' });
const page = await context.newPage();
const frames: Frame[] = [];
const take = async (seconds: number) => {
  await page.waitForLoadState('networkidle');
  frames.push({ png: await page.screenshot(), seconds });
};
const activity = `${dev.gatewayUrl}/dashboard/paymasters/${paymaster.paymasterId}/activity`;

await page.goto(`${dev.gatewayUrl}/dashboard/`);
await signInWithToken(page, dev.authToken);
await page.getByRole('heading', { name: 'Overview' }).waitFor();
await page.goto(activity);
await page.locator('.row-link').first().waitFor();
await take(2);
await page.locator('.row-link').first().click();
const fix = page.getByRole('button', { name: /^Sponsor record/ });
await fix.waitFor();
await take(3);
await fix.click();
await page.getByText('Done.').waitFor();
await take(2);
if (!(await send('record', ['hello']))) throw new Error('The operation did not land.');
await page.goto(activity);
await page.locator('.row-link').first().waitFor();
await take(2);
await page.locator('.row-link').first().click();
await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
await take(3);
await browser.close();
writeFileSync(picture, joinFrames(frames));
process.stdout.write(`${picture}\n`);
