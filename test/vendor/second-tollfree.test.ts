import { type Address, getAddress, type Hex, parseEther, slice } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { VendorConfig } from '../../core/domain/chain-config.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { devPaymasterVersions } from '../../server/dev/dev-core-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { fillTank, incrementsOf } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { deployTollfree } from '../support/paymaster-contracts/tollfree-lab.ts';
import { forward, type RpcServer, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { chooseWallet, type OwnedPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';
import { availableOf, draft, emptyTank, filledTank } from './vendor-lab.ts';

// The vendor is another Tollfree with a paymaster contract of its own, at EntryPoint 0.9.

const version = '0.9';
const much = 10n ** 12n;

let devnet: Devnet;
let second: RunningService;
let service: RunningService;
/** The node of the first service: it can keep its events to itself. */
let node: RpcServer;
let keepsEvents = false;
/** Milliseconds by which the first service's clock is ahead. */
let ahead = 0;
/** A ledger that no event has explained for longer is behind. */
const longEnough = 70_000;
let contract: Address;
let lender: OwnedPaymaster;

beforeAll(async () => {
  devnet = await leaseDevnet();
  const key = freshKey();
  const deployed = await deployTollfree(
    { devnet, signer: privateKeyToAccount(key), close: devnet.close },
    'tollfree-0.9',
  );
  contract = getAddress(deployed.contract.address);
  second = await startService({ devnet, configure: (config) => ofVendor(config, new Secret(key)) });
  lender = await openLender();
  node = await startRpcServer(async (request, response) => {
    if (keepsEvents && request.method === 'eth_getLogs') return respondResult(response, request, []);
    respond(response, await forward(devnet.rpcUrl, request));
  });
  const vendor: VendorConfig = {
    url: new Secret(lender.rpcUrl),
    context: {},
    accounts: 'all',
    paymasters: [contract],
    budget: { usdMicrosPerDay: much, usdMicrosPerMonth: 10n * much, maxSharePerClient: 1 },
    maxPaymasterGas: 200_000,
    timeoutMs: 5_000,
  };
  service = await startService({
    devnet,
    clock: { now: () => Date.now() + ahead },
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, nodeUrls: [node.url], vendor })),
    }),
  });
}, 120_000);
afterAll(async () => {
  await service?.close();
  await node?.close();
  await second?.close();
  await devnet?.close();
});

/** The vendor's service: another key, and a contract of its own. */
function ofVendor(config: CoreConfig, privateKey: Secret<Hex>): CoreConfig {
  const chains = config.chains.map((chain) => ({
    ...chain,
    signer: { kind: 'raw' as const, privateKey },
    paymasterContracts: chain.paymasterContracts
      .filter((one) => one.version === devPaymasterVersions[version])
      .map((one) => ({ ...one, family: 'tollfree-0.9', address: contract })),
  }));
  return { ...config, chains };
}

async function openLender(): Promise<OwnedPaymaster> {
  const opened = await openPaymaster(second, version);
  const wallet = privateKeyToAccount(freshKey());
  await chooseWallet(opened, wallet);
  await fillTank(devnet, version, wallet, parseEther('1'), contract);
  await vi.waitFor(async () => expect(await availableOf(opened)).toBe(parseEther('1')), { timeout: 20_000 });
  return opened;
}

/** Lands an operation that the paymaster answers for, and answers which contract paid. */
async function landFor({ rpcUrl }: OwnedPaymaster): Promise<Address | undefined> {
  const { account, operation } = await draft(devnet, version);
  const answer = await sponsor(rpcUrl, operation);
  const landed = await land(devnet, account, withAnswer(operation, answer));
  expect(landed.success).toBe(true);
  expect(await incrementsOf(devnet, operation.sender)).toBe(1n);
  expect(getAddress(slice(answer.paymasterAndData, 0, 20))).toBe(landed.paymaster);
  return landed.paymaster;
}

const waysOf = async ({ management, apiKey }: OwnedPaymaster) =>
  (await management.listDecisions({ apiKey, outcome: 'signed' })).decisions.map(({ settlement }) => settlement?.payer);

describe('a second Tollfree as the vendor', () => {
  test('sponsors while the tank is empty, and its own ledger settles it', async () => {
    const paymaster = await emptyTank(service, version);
    const before = BigInt((await lender.management.readGasTank({ apiKey: lender.apiKey })).settled);
    expect(await landFor(paymaster)).toBe(contract);
    expect(await waysOf(paymaster)).toEqual(['VENDOR']);
    await vi.waitFor(async () => {
      const { settled, held } = await lender.management.readGasTank({ apiKey: lender.apiKey });
      expect(BigInt(settled)).toBeGreaterThan(before);
      expect(held).toBe('0');
    }, 20_000);
    const samples = await scrape(service.adminUrl);
    expect(sumOf(samples, 'tollfree_vendor_questions_total', { outcome: 'answered' })).toBeGreaterThan(0);
    const ofWindow = (name: string, window: string) => sumOf(samples, `tollfree_vendor_${name}_usd`, { window }) ?? 0;
    expect(ofWindow('spent', 'day')).toBeGreaterThan(0);
    expect(ofWindow('spent', 'month')).toBe(ofWindow('spent', 'day'));
    expect(ofWindow('budget', 'month')).toBeCloseTo(10 * ofWindow('budget', 'day'), 9);
  });

  test('sponsors while the ledger is behind, and the own contract does again once it has caught up', async () => {
    const paymaster = await filledTank(service, version);
    const own = await landFor(paymaster);
    expect(own).not.toBe(contract);
    const { account, operation } = await draft(devnet, version);
    const answer = await sponsor(paymaster.rpcUrl, operation);
    keepsEvents = true;
    try {
      // The deposit falls, and no event of the node says why.
      await land(devnet, account, withAnswer(operation, answer));
      ahead = longEnough;
      await vi.waitFor(async () => expect(await payerFor(paymaster)).toBe(contract), {
        timeout: 30_000,
        interval: 100,
      });
      expect(await landFor(paymaster)).toBe(contract);
      const { decisions } = await paymaster.management.listDecisions({ apiKey: paymaster.apiKey, outcome: 'signed' });
      expect(JSON.stringify(decisions[0]?.trace)).toMatch(/behind the chain|ledger/);
    } finally {
      keepsEvents = false;
      ahead = 0;
    }
    await vi.waitFor(async () => expect(await payerFor(paymaster)).toBe(own), { timeout: 30_000, interval: 100 });
    expect(await landFor(paymaster)).toBe(own);
    expect(new Set(await waysOf(paymaster))).toEqual(new Set(['CONTRACT', 'VENDOR']));
  });
});

/** Which contract pays for an operation that is not sent. */
async function payerFor({ rpcUrl }: OwnedPaymaster): Promise<Address> {
  const { paymasterAndData } = await sponsor(rpcUrl, (await draft(devnet, version)).operation);
  return getAddress(slice(paymasterAndData, 0, 20));
}
