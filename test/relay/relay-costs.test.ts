import { toSimpleSmartAccount } from 'permissionless/accounts';
import { createPublicClient, getAddress, type Hex, http, numberToHex, parseEther } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type DevBundler, startDevBundler } from '../../server/dev/bundler/start-dev-bundler.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { rpcCall } from '../../server/dev/rpc-call.ts';
import { targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { transfer } from '../support/relay/relay-lab.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';
import { depositInto } from './deposit-into.ts';

// What one operation costs in requests, waiting and gas, from `prepare` to its receipt: with a paymaster contract, as viem sends it
// through the one URL, and relayed. The numbers are printed; the page about performance has them.

const version = '0.8';
const executor = privateKeyToAccount(deriveDevKey(8));
/** Milliseconds until the service and the node answer: questions that wait for another are seen by it. */
const distanceMs = 20;

type Costs = { requests: number; toNode: number; trips: number };

let service: RunningService;
let devnet: Devnet;
let bundler: DevBundler;
let paymaster: LabPaymaster;
let endpoint: RpcServer;
let node: RpcServer;
let counted = { requests: 0, toNode: 0, trips: 0, answered: 0 };

beforeAll(async () => {
  service = await startService({
    configure: async (config, chain) => {
      const [first] = config.chains;
      if (first === undefined) throw new Error('There is no chain.');
      bundler = await startDevBundler({ devnet: chain, config: first, account: executor, port: 0 });
      const { url } = bundler;
      const relay = { kind: 'ALTO', url, executors: [executor.address], entryPoint: version } as const;
      return { ...config, chains: [{ ...first, relay, bundler: { url, expose: 'ANY' as const } }] };
    },
  });
  devnet = service.devnet;
  paymaster = await openPaymaster(service, version);
  const wallet = await walletWith(devnet, parseEther('100'));
  await chooseWallet(paymaster, wallet);
  await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER' } });
  await transfer(devnet, wallet, { to: executor.address, value: parseEther('5') });
  await depositInto(service, version, wallet);
  await vi.waitFor(() => expect(relayTank(wallet).funded).toBe(parseEther('5')), 20_000);
  endpoint = await far(paymaster.rpcUrl, 'requests');
  node = await far(devnet.rpcUrl, 'toNode');
}, 60_000);
afterAll(async () => {
  await endpoint?.close();
  await node?.close();
  await service.close();
  await bundler.close();
});

const relayTank = (wallet: LocalAccount) =>
  readTank(service.config.database, getAddress(devnet.entryPoints[version]), wallet.address);

/** A server that is some way off, and counts. */
function far(url: string, which: 'requests' | 'toNode'): Promise<RpcServer> {
  return startRpcServer(async (request, response) => {
    counted[which] += 1;
    const trip = counted.answered + 1;
    counted.trips = Math.max(counted.trips, trip);
    const [answer] = await Promise.all([
      forward(url, request),
      new Promise((resolve) => setTimeout(resolve, distanceMs)),
    ]);
    counted.answered = Math.max(counted.answered, trip);
    respond(response, answer);
  });
}

async function costsOf(work: () => Promise<unknown>): Promise<Costs> {
  counted = { requests: 0, toNode: 0, trips: 0, answered: 0 };
  await work();
  const { answered: _, ...costs } = counted;
  return costs;
}

function openAccount() {
  const client = createPublicClient({
    chain: devnet.client.chain,
    transport: http(node.url, { retryCount: 0 }),
    pollingInterval: 20,
  });
  return toSimpleSmartAccount({
    client,
    owner: privateKeyToAccount(freshKey()),
    entryPoint: { address: devnet.entryPoints[version], version },
    factoryAddress: devnet.accountFactories[version],
  });
}

type Account = Awaited<ReturnType<typeof openAccount>>;
type Landed = { readonly gasUsed: bigint };

/** As an app does with viem: one URL for paymaster and bundler. */
async function sponsored(account: Account): Promise<Landed> {
  const transport = http(endpoint.url, { retryCount: 0 });
  const paymasterClient = createPaymasterClient({ transport });
  const client = createBundlerClient({
    ...{ account, client: account.client, transport, pollingInterval: 20 },
    paymaster: paymasterClient,
  });
  const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
  const { receipt, success } = await client.waitForUserOperationReceipt({ hash });
  expect(success).toBe(true);
  return receipt;
}

const termsSchema = z.record(z.string(), z.string());

/** As the guide about relaying says: prepare, sign, send, receipt. */
async function relayed(account: Account): Promise<Landed> {
  const [sender, nonce, callData] = await Promise.all([
    account.getAddress(),
    account.getNonce(),
    account.encodeCalls([targetCall(devnet, 'increment')]),
  ]);
  const factoryArgs = await account.getFactoryArgs();
  const deploys = factoryArgs.factory === undefined ? {} : factoryArgs;
  const draft = {
    ...{ sender, nonce: numberToHex(nonce), callData, ...deploys, signature: await account.getStubSignature() },
    ...{ maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' },
  };
  const at = [account.entryPoint.address, numberToHex(devnet.chainId), {}];
  const terms = await rpcCall(endpoint.url, 'tollfree_prepareRelay', [draft, ...at], termsSchema);
  const gas = (name: string) => BigInt(terms[name] ?? 0);
  const limits = {
    callGasLimit: gas('callGasLimit'),
    verificationGasLimit: gas('verificationGasLimit'),
    preVerificationGas: gas('preVerificationGas'),
  };
  const unsigned = { sender, nonce, callData, ...deploys, ...limits, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  const signature = await account.signUserOperation(unsigned as never);
  const hexLimits = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, numberToHex(value)]));
  const operation = { ...draft, ...hexLimits, signature };
  const hash = await rpcCall(
    endpoint.url,
    'eth_sendUserOperation',
    [operation, account.entryPoint.address],
    z.string(),
  );
  const client = createBundlerClient({
    ...{ client: account.client, transport: http(endpoint.url, { retryCount: 0 }), pollingInterval: 20 },
  });
  const { receipt, success } = await client.waitForUserOperationReceipt({ hash: hash as Hex });
  expect(success).toBe(true);
  return receipt;
}

test('a relayed operation needs fewer requests, less waiting and less gas than a sponsored one', async () => {
  const rows: (Costs & { readonly way: string; readonly gas: bigint })[] = [];
  for (const [way, send] of [
    ['paymaster', sponsored],
    ['relay', relayed],
  ] as const) {
    const account = await openAccount();
    // It is on chain by its first operation, has used its nonce, and the target's storage is not new.
    await costsOf(() => send(account));
    await costsOf(() => send(account));
    let gas = 0n;
    const costs = await costsOf(async () => {
      gas = (await send(account)).gasUsed;
    });
    rows.push({ way, ...costs, gas });
  }
  for (const { way, requests, toNode, trips, gas } of rows) {
    process.stdout.write(
      `${way}: ${requests} requests to the service, ${toNode} to the node, ${trips} round trips, ${gas} gas\n`,
    );
  }
  const [paid, free] = rows;
  if (paid === undefined || free === undefined) throw new Error('Both were measured.');
  expect(free.requests).toBeLessThan(paid.requests);
  expect(free.trips).toBeLessThan(paid.trips);
  expect(free.gas).toBeLessThan(paid.gas);
}, 60_000);
