import { setTimeout } from 'node:timers/promises';
import { Attribution } from 'ox/erc8021';
import { concat, encodeFunctionData, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { devTargetAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { fundWithTokens, newSmartAccount, nextOperation, type SmartAccount, tokenWith } from '../chain/chain-lab.ts';
import { land } from '../chain/chain-landing.ts';
import { type CountingNode, startCountingNode } from '../servers/counting-node.ts';
import { respondResult, startRpcServer } from '../servers/json-rpc-server.ts';
import { askPaymaster } from './ask-paymaster.ts';
import { askRpc, type RpcAnswer } from './chain-rpc.ts';
import { askQuotes, askSponsorship, sponsor, withAnswer } from './chain-sponsorship.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from './client-lab.ts';
import { freshKey } from './running-service.ts';

/** A service whose node is far away, and counts what it is asked. */
export type FarLab = Omit<ClientLab, 'close'> & {
  readonly node: CountingNode;
  /** A bundler that has an answer for whatever it is asked. */
  readonly quickBundlerUrl: string;
  close(): Promise<void>;
};

/** What that bundler answers. Its limits are judged without asking the node again. */
const bundlerLimits = { callGasLimit: '0x186a0', verificationGasLimit: '0x186a0', preVerificationGas: '0xea60' };

/** Opens a service whose node answers after so many milliseconds, and which asks a bundler for limits; a chain of the caller's own stays open. */
export async function openFarLab(distanceMs: number, own: { readonly devnet?: Devnet } = {}): Promise<FarLab> {
  const bundler = await startRpcServer((request, response) => respondResult(response, request, bundlerLimits));
  let node: CountingNode | undefined;
  const lab = await openClientLab({
    ...own,
    configure: async (config, devnet) => {
      const counting = await startCountingNode(devnet.rpcUrl, distanceMs);
      node = counting;
      // As a chain has it whose node is far away: what was seen counts as old after a few of these.
      const far = {
        nodeUrls: [counting.url],
        pollIntervalMs: 2_000,
        bundler: { urls: [bundler.url], expose: 'NONE' as const, asksForLimits: true },
      };
      return { ...config, chains: config.chains.map((chain) => ({ ...chain, ...far })) };
    },
  });
  await untilReady(lab);
  if (node === undefined) throw new Error('The service was not configured.');
  const counting = node;
  return {
    ...lab,
    node: counting,
    quickBundlerUrl: bundler.url,
    close: async () => {
      await lab.close();
      await Promise.all([counting.close(), bundler.close()]);
    },
  };
}

async function untilReady({ service }: ClientLab): Promise<void> {
  for (let left = 300; left > 0; left -= 1) {
    if ((await fetch(`${service.adminUrl}/readyz`)).status === 200) return;
    await setTimeout(100);
  }
  throw new Error('The service does not get ready.');
}

let made = 0n;

/** An `increment` with an attribution of its own, which the function does not read: another operation each time. */
function newCall({ devnet }: FarLab) {
  made += 1n;
  const increment = encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' });
  return {
    to: devnet.target.address,
    data: concat([increment, Attribution.toDataSuffix({ codes: [`call${made}`] })]),
  };
}

/** The next operation of an account, with a nonce key of its own. */
export function newOperation(lab: FarLab, account: SmartAccount): Promise<DevUserOperation> {
  return nextOperation(lab.devnet, account, [newCall(lab)], made);
}

/** An account on chain that has tokens and has approved them. */
export async function readyAccount(lab: FarLab, version: EntryPointVersion): Promise<SmartAccount> {
  const account = newSmartAccount(version);
  const { address: spender, rpcUrl } = lab.paymaster(version);
  const operation = await nextOperation(lab.devnet, account, [newCall(lab)]);
  await land(lab.devnet, account, withAnswer(operation, await sponsor(rpcUrl, operation)));
  await fundWithTokens(lab.devnet, tokenWith(lab.devnet, 6), { owner: operation.sender, spender });
  return account;
}

const limits = {
  callGasLimit: 100_000n,
  verificationGasLimit: 150_000n,
  preVerificationGas: 55_000n,
};

export const decisionNames = [
  'sponsored, estimated',
  'sponsored, limits given',
  'pm_getPaymasterData, estimated',
  'pm_getPaymasterData, limits given',
  'pm_sponsorUserOperation of Pimlico',
  'pm_getPaymasterStubData',
  'a quote in tokens, estimated',
  'paid in tokens, limits given',
  'paid in tokens, estimated',
] as const;
export type DecisionName = (typeof decisionNames)[number];
type Ask = (operation: DevUserOperation) => Promise<RpcAnswer>;

/** Each way to a decision about an operation. */
export function decisions(lab: FarLab, version: EntryPointVersion): Readonly<Record<DecisionName, Ask>> {
  const token = tokenWith(lab.devnet, 6).address;
  const { rpcUrl } = lab.paymaster(version);
  const way = { version, rpcUrl };
  const given = (operation: DevUserOperation) => ({ ...operation, ...limits });
  return {
    'sponsored, estimated': (operation) => askSponsorship(rpcUrl, operation),
    'sponsored, limits given': (operation) => askSponsorship(rpcUrl, given(operation), { calculateGasLimits: false }),
    'pm_getPaymasterData, estimated': (operation) =>
      askPaymaster(lab, 'pm_getPaymasterData', way, { operation, context: { calculateGasLimits: true } }),
    'pm_getPaymasterData, limits given': (operation) =>
      askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given(operation) }),
    'pm_sponsorUserOperation of Pimlico': (operation) =>
      askRpc(rpcUrl, 'pm_sponsorUserOperation', [toRpcUserOperation(operation), lab.devnet.entryPoints[version]]),
    pm_getPaymasterStubData: (operation) => askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }),
    'a quote in tokens, estimated': (operation) => askQuotes(rpcUrl, operation, { token }),
    'paid in tokens, limits given': (operation) =>
      askSponsorship(rpcUrl, given(operation), { token, calculateGasLimits: false }),
    'paid in tokens, estimated': (operation) => askSponsorship(rpcUrl, operation, { token }),
  };
}

/** Makes an account with viem, and answers its whole preparations of an operation, sponsored and in a token. */
export async function viemPreparations(lab: FarLab, version: EntryPointVersion) {
  const { devnet, quickBundlerUrl } = lab;
  const { rpcUrl, address: spender } = lab.paymaster(version);
  const account = await simpleAccount(devnet, version, privateKeyToAccount(freshKey()));
  const token = tokenWith(devnet, 6);
  const plain = { retryCount: 0 };
  const paymaster = createPaymasterClient({ transport: http(rpcUrl, plain) });
  const client = chainClient(devnet);
  const sending = createBundlerClient({
    account,
    client,
    paymaster,
    transport: http(lab.bundler.url, plain),
    pollingInterval: 20,
  });
  // It makes the account.
  await sending.sendUserOperation({ calls: [newCall(lab)] });
  await fundWithTokens(devnet, token, { owner: account.address, spender });
  const prepare = async (paymasterContext: object): Promise<void> => {
    const preparing = createBundlerClient({
      account,
      client,
      paymaster,
      paymasterContext,
      transport: http(quickBundlerUrl, plain),
      userOperation: { estimateFeesPerGas: () => devnet.client.estimateFeesPerGas() },
    });
    await preparing.prepareUserOperation({ calls: [newCall(lab)] });
  };
  return { sponsored: () => prepare({}), 'in a token': () => prepare({ token: token.address }) };
}
