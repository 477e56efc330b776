import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { SignerConfig } from '../../core/domain/signer-config.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { forward, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readHolds, readSignedDecisions } from '../support/service/chain-ledger.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { startAwsKms } from './aws-kms-server.ts';
import { keyVersion, startGoogleKms, writeServiceAccount } from './google-kms-server.ts';

/** One of the keys that the node has too. */
const key = deriveDevKey(5);
const address = privateKeyToAddress(key);
const version = '0.7';
const closing: (() => unknown)[] = [];

let devnet: Devnet;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-signers-'));
  writeServiceAccount(join(folder, 'account.json'));
  devnet = await leaseDevnet(address);
});
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'account.json'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true });
});

async function serve(signer: SignerConfig): Promise<{ service: RunningService; paymaster: DevPaymaster }> {
  const service = await startService({
    devnet,
    configure: (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, signer })) }),
  });
  closing.push(service.close);
  const { authToken } = await service.issueAccount();
  return { service, paymaster: await service.fundedPaymaster(authToken, version) };
}

async function newOperation() {
  const account = newSmartAccount(version);
  return { account, operation: await nextOperation(devnet, account, [targetCall(devnet, 'increment')]) };
}

const services: readonly (readonly [string, () => Promise<SignerConfig>])[] = [
  [
    'AWS KMS',
    async () => {
      const { url: endpoint, close } = await startAwsKms(key);
      closing.push(close);
      return { kind: 'aws-kms', keyId: 'gas', region: 'eu-central-1', endpoint, address, timeoutMs: 10_000 };
    },
  ],
  [
    'Google Cloud KMS',
    async () => {
      const { url: endpoint, close } = await startGoogleKms(key);
      closing.push(close);
      return { kind: 'google-kms', keyVersion, endpoint, address, timeoutMs: 10_000 };
    },
  ],
];

test.each(rowsOfRun(services, 1))('an operation that a key in %s has signed for lands', async (_name, start) => {
  const { paymaster } = await serve(await start());
  const { account, operation } = await newOperation();
  const answer = await sponsor(paymaster.rpcUrl, operation);
  expect((await land(devnet, account, withAnswer(operation, answer))).success).toBe(true);
});

test('one that a node’s own eth_sign has signed for lands; what no one signed stays held, and nothing is held in vain', async () => {
  let mode: 'node' | 'error' | 'garbage' = 'node';
  const node = await startRpcServer(async (request, response) => {
    if (request.method !== 'eth_sign' || mode === 'node') respond(response, await forward(devnet.rpcUrl, request));
    else if (mode === 'garbage') respondResult(response, request, `0x${'11'.repeat(65)}`);
    else respond(response, 'no', 503);
  });
  closing.push(node.close);
  const { service, paymaster } = await serve({ kind: 'eth-sign', url: node.url, address, timeoutMs: 10_000 });
  const { database } = service.config;
  const holds = () => readHolds(database, paymaster.address, paymaster.fundingWallet).map(({ state }) => state);
  const partOfSigner = async () =>
    (await service.core.status()).find(({ part }) => part === `signer ${address} of chain ${devnet.chainId}`);
  expect(await partOfSigner()).toMatchObject({ ready: true });

  const { account, operation } = await newOperation();
  mode = 'error';
  expect(await askSponsorship(paymaster.rpcUrl, operation)).toMatchObject({
    httpStatus: 503,
    code: -32018,
    reason: 'SIGNER_UNAVAILABLE',
  });
  // It may be signed: anyone who failed to answer may have done what he was asked.
  expect(holds()).toEqual(['live']);
  await vi.waitFor(() => expect(readSignedDecisions(database)).toEqual([]));
  mode = 'node';
  const answer = signedAnswer(await askSponsorship(paymaster.rpcUrl, operation));
  expect(holds()).toEqual(['live']);
  expect(readSignedDecisions(database)).toHaveLength(1);
  expect((await land(devnet, account, withAnswer(operation, answer))).success).toBe(true);

  mode = 'garbage';
  const refused = (await newOperation()).operation;
  expect((await askSponsorship(paymaster.rpcUrl, refused)).reason).toBe('SIGNER_UNAVAILABLE');
  expect(holds()).toHaveLength(2);
  const asked = node.requests.length;
  expect((await askSponsorship(paymaster.rpcUrl, (await newOperation()).operation)).reason).toBe('SIGNER_UNAVAILABLE');
  expect(holds()).toHaveLength(2);
  expect(node.requests).toHaveLength(asked);
  expect(await partOfSigner()).toEqual({
    part: `signer ${address} of chain ${devnet.chainId}`,
    ready: false,
    detail: `no signer with the key of ${address} responds`,
  });
  const metrics = await scrape(service.adminUrl);
  const counted = (outcome: string) =>
    sumOf(metrics, 'tollfree_signer_seconds_count', {
      chain: String(devnet.chainId),
      place: '1 (eth-sign)',
      outcome,
    });
  expect(['signed', 'failed', 'wrong'].map(counted)).toEqual([2, 1, 1]);
});
