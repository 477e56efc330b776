import { type Address, getAddress, hexToBigInt, numberToHex, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RelayKind } from '../../core/domain/chain-config.ts';
import { type DevBundler, startDevBundler } from '../../server/dev/bundler/start-dev-bundler.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { incrementsOf, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { balanceOf, freeOperation, transfer } from '../support/relay/relay-lab.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type OwnedPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';
const executor = privateKeyToAccount(deriveDevKey(8));

type Sent = Readonly<Record<string, `0x${string}` | undefined>>;

/** Why a bundler of the kind does not pay for an operation, as its published code says; undefined where it does. */
const refusals: Readonly<Record<Exclude<RelayKind, 'ALTO'>, (params: readonly unknown[]) => string | undefined>> = {
  RUNDLER: ([operation, , permissions]) => {
    const { maxFeePerGas, maxPriorityFeePerGas, preVerificationGas, paymaster } = operation as Sent;
    const { bundlerSponsorship } = (permissions ?? {}) as { bundlerSponsorship?: Record<string, `0x${string}`> };
    if (bundlerSponsorship === undefined) return 'maxFeePerGas is too low';
    const { maxCost = '0x0', validUntil = '0x0' } = bundlerSponsorship;
    if (hexToBigInt(maxCost) === 0n || Number(validUntil) * 1_000 < Date.now()) return 'sponsorship has ended';
    const counts = [maxFeePerGas, maxPriorityFeePerGas, preVerificationGas].some((one = '0x0') => BigInt(one) !== 0n);
    return counts || paymaster !== undefined ? 'fees, preVerificationGas and paymaster must be empty' : undefined;
  },
  ULTRA_RELAY: ([operation]) => {
    const { maxFeePerGas = '0x1', maxPriorityFeePerGas = '0x1' } = operation as Sent;
    return BigInt(maxFeePerGas) + BigInt(maxPriorityFeePerGas) === 0n ? undefined : 'maxFeePerGas is too low';
  },
};

describe.each(['RUNDLER', 'ULTRA_RELAY'] as const)('a relay of the kind %s', (kind) => {
  let service: RunningService;
  let bundler: DevBundler;
  /** Stands for a bundler of that kind: it refuses what that one refuses, and has the development bundler do the rest. */
  let standIn: RpcServer;
  let relay: Address;
  let paymaster: OwnedPaymaster & { readonly wallet: LocalAccount };

  function forwarded(request: RpcRequest): RpcRequest {
    const isSent = request.method === 'eth_sendUserOperation';
    return isSent ? { ...request, method: 'boost_sendUserOperation', params: request.params.slice(0, 2) } : request;
  }

  beforeAll(async () => {
    service = await startService({
      configure: async (config, chain) => {
        const [first] = config.chains;
        if (first === undefined) throw new Error('There is no chain.');
        bundler = await startDevBundler({ devnet: chain, config: first, account: executor, port: 0 });
        standIn = await startRpcServer(async (request, response) => {
          const refused = request.method === 'eth_sendUserOperation' ? refusals[kind](request.params) : undefined;
          if (refused !== undefined) return respondError(response, request, -32_602, refused);
          respond(response, await forward(bundler.url, forwarded(request)));
        });
        const relayed = { kind, url: standIn.url, executors: [executor.address], entryPoint: version } as const;
        return { ...config, chains: [{ ...first, relay: relayed }] };
      },
    });
    relay = getAddress(service.devnet.entryPoints[version]);
    const wallet = await walletWith(service.devnet, parseEther('100'));
    const opened = await openPaymaster(service, version);
    await chooseWallet(opened, wallet);
    await opened.management.setPolicy({ apiKey: opened.apiKey, policy: { relay: 'PREFER' } });
    await transfer(service.devnet, wallet, { to: executor.address, value: parseEther('5') });
    paymaster = { ...opened, wallet };
    await vi.waitFor(() => expect(tank().funded).toBe(parseEther('5')), 30_000);
  }, 60_000);
  afterAll(async () => {
    await service.close();
    await Promise.all([standIn.close(), bundler.close()]);
  });

  const tank = () => readTank(service.config.database, relay, paymaster.wallet.address);
  const holds = () => readHolds(service.config.database, relay, paymaster.wallet.address);

  /** An operation with the limits that the service prepares, signed. */
  async function preparedOperation(account = newSmartAccount(version)): Promise<DevUserOperation> {
    const { devnet } = service;
    const draft = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const params = [toRpcUserOperation(draft), relay, numberToHex(devnet.chainId), {}];
    const { result, message } = await askRpc(paymaster.rpcUrl, 'tollfree_prepareRelay', params);
    expect(message).toBeUndefined();
    const limits = Object.entries(result as Record<string, string>).map(([name, value]) => [name, BigInt(value)]);
    return freeOperation(devnet, account, Object.fromEntries(limits));
  }

  const relayOperation = (operation: DevUserOperation) =>
    askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', [
      toRpcUserOperation(operation),
      relay,
      numberToHex(service.devnet.chainId),
      {},
    ]);

  test('lands what was prepared, and the tank pays what the bundle cost', async () => {
    const { devnet } = service;
    const operation = await preparedOperation();
    const before = { settled: tank().settled, executor: await balanceOf(devnet, [executor]) };
    const { result, message } = await relayOperation(operation);
    expect(message).toBeUndefined();
    expect(result).toBe(await readUserOperationHash(devnet, operation));
    expect(await incrementsOf(devnet, operation.sender)).toBe(1n);
    const cost = before.executor - (await balanceOf(devnet, [executor]));
    expect(cost).toBeGreaterThan(0n);
    await vi.waitFor(() => expect(tank().settled - before.settled).toBe(cost), 30_000);
    expect(tank().held).toBe(0n);
  });

  test('holds nothing for an operation that the bundler refuses', async () => {
    const operation = await preparedOperation();
    // Well-formed, of another owner.
    const { signature } = await preparedOperation();
    const { reason } = await relayOperation({ ...operation, signature });
    expect(reason).toBe('BUNDLER_REFUSED');
    expect(tank().held).toBe(0n);
    expect(holds().filter(({ state }) => state === 'live')).toEqual([]);
  });

  test('is told the most that an operation may cost, and until when', async () => {
    const operation = await preparedOperation();
    await relayOperation(operation);
    const [, , permissions] =
      standIn.requests.findLast(({ method }) => method === 'eth_sendUserOperation')?.params ?? [];
    if (kind !== 'RUNDLER') return expect(permissions).toBeUndefined();
    const [hold] = holds().filter(({ sender }) => sender === operation.sender);
    expect(permissions).toEqual({
      bundlerSponsorship: {
        maxCost: numberToHex(hold?.amount ?? 0n),
        validUntil: numberToHex(hold?.validUntil ?? 0),
      },
    });
  });

  test.runIf(kind === 'RUNDLER')('refuses an operation with preVerificationGas before anything is held', async () => {
    const operation = await freeOperation(service.devnet, newSmartAccount(version));
    const { reason, message } = await relayOperation(operation);
    expect(reason).toBe('INVALID_PARAMS');
    expect(message).toMatch(/^preVerificationGas must be 0/);
  });
});
