import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Hex, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deriveDevKey } from '../../clients/cli/dev/devnet/dev-keys.ts';
import { incrementsOf, mint, newSmartAccount, nextOperation, tokenBalance } from '../support/chain/chain-lab.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { readTank } from '../support/service/chain-books.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';
import { extractReadmeExamples, type ReadmeExamples } from './readme-example.ts';

let service: RunningService;
let bundler: TestBundler;
let examples: ReadmeExamples;
/** What the webhook was asked with, in order. */
const asked: unknown[] = [];
const webhook = createServer(async (request, response) => {
  asked.push(JSON.parse(await text(request)));
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"arePoliciesVerified":true}');
});

beforeAll(async () => {
  service = await startService();
  const [chain] = service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  bundler = await startTestBundler(service.devnet, chain);
  examples = extractReadmeExamples();
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
});
afterAll(async () => {
  examples?.close();
  webhook.close();
  webhook.closeAllConnections();
  await bundler?.close();
  await service?.close();
});

function webhookUrl(): string {
  const address = webhook.address();
  if (address === null || typeof address === 'string') throw new Error('The webhook has no port.');
  return `http://127.0.0.1:${address.port}/gas`;
}

/** Runs the set-up as the README has it and gives back the address of the new paymaster's RPC endpoint. */
async function setUp(environment: Readonly<Record<string, string>>, fundingKey: Hex): Promise<string> {
  const { devnet, config } = service;
  const contract = devnet.paymasterContracts['pimlico-singleton-0.7'];
  const { authToken } = await service.issueAccount();
  const [url = ''] = await examples.run('set-up.ts', {
    ...environment,
    SERVICE_URL: service.url,
    AUTH_TOKEN: authToken,
    FUNDING_KEY: fundingKey,
    WEBHOOK_URL: webhookUrl(),
  });
  const wallet = privateKeyToAccount(fundingKey).address;
  const funded = () => expect(readTank(config.database, contract, wallet).funded).toBe(parseUnits('1', 18));
  await vi.waitFor(funded, { timeout: 20_000 });
  return url;
}

test('the examples of the README type check', async () => {
  expect(examples.names).toEqual(['set-up.ts', 'sponsored.ts', 'token-paid.ts']);
  await examples.check();
});

test('the examples of the README do what they say, one after the other', async () => {
  const { devnet } = service;
  const owner = freshKey();
  const shared = {
    NODE_URL: devnet.rpcUrl,
    CONTRACT: devnet.target.address,
    BUNDLER_URL: bundler.url,
    ACCOUNT_FACTORY: devnet.accountFactories['0.7'],
    OWNER_KEY: owner,
  };
  const environment = { ...shared, PAYMASTER_URL: await setUp(shared, deriveDevKey(5)) };
  const account = { ...newSmartAccount('0.7'), owner: privateKeyToAccount(owner) };
  const { sender } = await nextOperation(devnet, account, []);

  const sponsored = await examples.run('sponsored.ts', environment);
  expect(sponsored).toEqual([expect.stringMatching(/^landed 0x/), 'refused METHOD_NOT_WHITELISTED']);
  expect(await incrementsOf(devnet, sender)).toBe(1n);
  expect(asked).toEqual([{ data: { user: 'u-1' } }]);

  const [token] = devnet.tokens;
  if (token === undefined) throw new Error('The chain has no tokens.');
  await mint(devnet, token, sender, parseUnits('1000', token.decimals));
  const paid = await examples.run('token-paid.ts', environment);
  const [, amount = ''] = /^at most ([\d.]+) \w+$/.exec(paid[0] ?? '') ?? [];
  expect(paid[1]).toMatch(/^landed 0x/);
  expect(await incrementsOf(devnet, sender)).toBe(2n);
  const left = await tokenBalance(devnet, token, sender);
  expect(left).toBeLessThan(parseUnits('1000', token.decimals));
  expect(left).toBeGreaterThanOrEqual(parseUnits('1000', token.decimals) - parseUnits(amount, token.decimals));
}, 180_000);
