import { Attribution } from 'ox/erc8021';
import { concat, encodeFunctionData, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type Asked, type CountingNode, startCountingNode } from '../support/servers/counting-node.ts';
import { type RpcServer, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { askRpc, type RpcAnswer } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';
import { askPaymaster } from './ask-paymaster.ts';

/** So far away is the node; `ROUND_TRIP_MS=100` prints how long the answers take then. */
const distanceMs = Number(process.env.ROUND_TRIP_MS ?? 15);
const showsTimes = process.env.ROUND_TRIP_MS !== undefined;

/** What the bundler answers to whatever it is asked. Its limits are judged without asking the node again. */
const bundlerLimits = { callGasLimit: '0x186a0', verificationGasLimit: '0x186a0', preVerificationGas: '0xea60' };

let lab: ClientLab;
let node: CountingNode;
let bundler: RpcServer;
beforeAll(async () => {
  bundler = await startRpcServer((request, response) => respondResult(response, request, bundlerLimits));
  lab = await openClientLab({
    configure: async (config, devnet) => {
      node = await startCountingNode(devnet.rpcUrl, distanceMs);
      // As a chain has it whose node is far away: what was seen counts as old after a few of these.
      const far = {
        nodeUrls: [node.url],
        pollIntervalMs: 2_000,
        bundler: { urls: [bundler.url], expose: 'NONE' as const, asksForLimits: true },
      };
      return { ...config, chains: config.chains.map((chain) => ({ ...chain, ...far })) };
    },
  });
  await vi.waitFor(async () => expect((await fetch(`${lab.service.adminUrl}/readyz`)).status).toBe(200), 30_000);
}, 60_000);
afterAll(async () => {
  await lab.close();
  await Promise.all([node.close(), bundler.close()]);
});

let made = 0n;

/** The same function with another attribution behind it, which it does not read: another operation each time. */
function newCall() {
  made += 1n;
  const increment = encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' });
  return {
    to: lab.devnet.target.address,
    data: concat([increment, Attribution.toDataSuffix({ codes: [`call${made}`] })]),
  };
}

const limits = {
  callGasLimit: 100_000n,
  verificationGasLimit: 150_000n,
  preVerificationGas: 55_000n,
};

type Ask = (rpcUrl: string, operation: DevUserOperation) => Promise<RpcAnswer>;

/** The ways to a decision, and what each asks of the node: one round trip, of the operation and of what its account keeps. */
function paths(version: EntryPointVersion): readonly [name: string, ask: Ask, asked: Asked][] {
  const token = tokenWith(lab.devnet, 6).address;
  const way = { version, rpcUrl: lab.paymaster(version).rpcUrl };
  const given = (operation: DevUserOperation) => ({ ...operation, ...limits });
  const sponsored = { calls: 2, trips: 1 };
  return [
    ['sponsored, estimated', (rpcUrl, operation) => askSponsorship(rpcUrl, operation), sponsored],
    [
      'sponsored, limits given',
      (rpcUrl, operation) => askSponsorship(rpcUrl, given(operation), { calculateGasLimits: false }),
      sponsored,
    ],
    [
      'pm_getPaymasterData, estimated',
      (_, operation) =>
        askPaymaster(lab, 'pm_getPaymasterData', way, { operation, context: { calculateGasLimits: true } }),
      sponsored,
    ],
    [
      'pm_getPaymasterData, limits given',
      (_, operation) => askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given(operation) }),
      sponsored,
    ],
    [
      'pm_sponsorUserOperation of Pimlico',
      (rpcUrl, operation) =>
        askRpc(rpcUrl, 'pm_sponsorUserOperation', [toRpcUserOperation(operation), lab.devnet.entryPoints[version]]),
      sponsored,
    ],
    // The slots of its account, and its code.
    [
      'pm_getPaymasterStubData',
      (_, operation) => askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }),
      sponsored,
    ],
    [
      'a quote in tokens, estimated',
      (rpcUrl, operation) => askQuotes(rpcUrl, operation, { token }),
      { calls: 1, trips: 1 },
    ],
    [
      'paid in tokens, limits given',
      (rpcUrl, operation) => askSponsorship(rpcUrl, given(operation), { token, calculateGasLimits: false }),
      { calls: 2, trips: 1 },
    ],
    // What the payment needs can only be tried once the limits are known.
    [
      'paid in tokens, estimated',
      (rpcUrl, operation) => askSponsorship(rpcUrl, operation, { token }),
      { calls: 2, trips: 2 },
    ],
  ];
}

/** An account on chain that has tokens and has approved them. */
async function readyAccount(version: EntryPointVersion): Promise<SmartAccount> {
  const account = newSmartAccount(version);
  const { address: spender, rpcUrl } = lab.paymaster(version);
  const operation = await nextOperation(lab.devnet, account, [newCall()]);
  await land(lab.devnet, account, withAnswer(operation, await sponsor(rpcUrl, operation)));
  await fundWithTokens(lab.devnet, tokenWith(lab.devnet, 6), { owner: operation.sender, spender });
  return account;
}

test.each(rowsOfRun(entryPointVersions, 2))(
  'a decision about a new operation waits for the node once, with EntryPoint %s',
  async (version) => {
    const account = await readyAccount(version);
    const { rpcUrl } = lab.paymaster(version);
    for (const [name, ask, expected] of paths(version)) {
      // The first one also asks for code that is remembered: of the EntryPoint, of what runs for the account.
      const asked: Asked[] = [];
      for (const _ of ['first', 'second']) {
        const operation = await nextOperation(lab.devnet, account, [newCall()], made);
        const begun = performance.now();
        asked.push(
          await node.count(async () => {
            expect((await ask(rpcUrl, operation)).reason, name).toBeUndefined();
          }),
        );
        if (showsTimes) process.stdout.write(`${version} ${name}: ${Math.round(performance.now() - begun)} ms\n`);
      }
      expect(asked[1], name).toStrictEqual(expected);
    }
  },
);

/** Stub and signature wait once each. EntryPoint 0.6 has no limits of the paymaster, which the stub of a token measures. */
const mostAsked: Asked = { calls: 5, trips: 2 };

test.each(rowsOfRun(entryPointVersions, 2))(
  'viem’s whole preparation waits for the node at most twice, sponsored and in a token, with EntryPoint %s',
  async (version) => {
    const { devnet, paymaster } = lab;
    const { rpcUrl, address: spender } = paymaster(version);
    const owner = privateKeyToAccount(freshKey());
    const account = await simpleAccount(devnet, version, owner);
    const token = tokenWith(devnet, 6);
    const plain = { retryCount: 0 };
    const clientOf = (paymasterContext?: object) =>
      createBundlerClient({
        account,
        client: chainClient(devnet),
        transport: http(bundler.url, plain),
        paymaster: createPaymasterClient({ transport: http(rpcUrl, plain) }),
        ...(paymasterContext === undefined ? {} : { paymasterContext }),
        userOperation: { estimateFeesPerGas: () => devnet.client.estimateFeesPerGas() },
      });
    const sending = createBundlerClient({
      account,
      client: chainClient(devnet),
      transport: http(lab.bundler.url, plain),
      paymaster: createPaymasterClient({ transport: http(rpcUrl, plain) }),
      pollingInterval: 20,
    });
    // It makes the account.
    await sending.sendUserOperation({ calls: [newCall()] });
    await fundWithTokens(devnet, token, { owner: account.address, spender });
    for (const payment of ['sponsored', 'in a token']) {
      const client = clientOf(payment === 'sponsored' ? undefined : { token: token.address });
      // The first one also asks for code that is remembered.
      await client.prepareUserOperation({ calls: [newCall()] });
      const begun = performance.now();
      const asked = await node.count(() => client.prepareUserOperation({ calls: [newCall()] }));
      if (showsTimes)
        process.stdout.write(`${version} viem, ${payment}: ${Math.round(performance.now() - begun)} ms\n`);
      expect(asked.trips, payment).toBeLessThanOrEqual(mostAsked.trips);
      expect(asked.calls, payment).toBeLessThanOrEqual(mostAsked.calls);
    }
  },
);
