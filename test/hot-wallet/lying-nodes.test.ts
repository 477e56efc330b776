import { numberToHex, parseGwei } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { ether, type HotWalletLab, openHotWalletLab } from './hot-wallet-lab.ts';

let devnet: Devnet;
let lab: HotWalletLab;
/** Two nodes of one chain. What the second one says instead of the truth; undefined for the truth. */
let servers: readonly RpcServer[];
let lie: (request: RpcRequest) => unknown;
let isAway: boolean;

beforeEach(async () => {
  lie = () => undefined;
  isAway = false;
  devnet = await leaseDevnet();
  const honest = await startRpcServer(async (request, response) =>
    respond(response, await forward(devnet.rpcUrl, request)),
  );
  const other = await startRpcServer(async (request, response) => {
    if (isAway) return respond(response, 'away', 503);
    const said = lie(request);
    if (said !== undefined) return respondResult(response, request, said);
    respond(response, await forward(devnet.rpcUrl, request));
  });
  servers = [honest, other];
});
afterEach(async () => {
  await lab.close();
  await Promise.all(servers.map((server) => server.close()));
  await devnet.close();
});

const openWith = async (...numbers: readonly number[]) => {
  lab = await openHotWalletLab(devnet, { nodeUrls: numbers.map((number) => servers[number]?.url ?? '') });
};

/** Says of the executor that it has nothing, whatever it has. */
const emptyExecutor = ({ method, params }: RpcRequest) =>
  method === 'eth_getBalance' && String(params[0]).toLowerCase() === lab.executor.toLowerCase() ? '0x0' : undefined;

describe('of two nodes', () => {
  test('one alone cannot have coin sent by saying that a balance is low', async () => {
    await openWith(0, 1);
    await lab.setTarget(ether('2'));
    lie = emptyExecutor;
    expect(await lab.turn()).not.toHaveProperty('block');
    expect(await lab.transfers()).toEqual([]);
  });

  test('one alone does not suffice: nothing is sent while the other is away', async () => {
    await openWith(0, 1);
    isAway = true;
    expect(await lab.turn()).toMatchObject({ block: 'nodes' });
    expect(await lab.transfers()).toEqual([]);
    isAway = false;
    expect(await lab.turn()).not.toHaveProperty('block');
    await lab.mine(1);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('one that does not count a landed transfer yet has nothing sent under its nonce', async () => {
    await openWith(0, 1);
    await lab.turn();
    await lab.mine(2);
    await lab.turn();
    await lab.setTarget(0n);
    lie = ({ method }) => (method === 'eth_getTransactionCount' ? '0x0' : undefined);
    expect(await lab.turn()).toMatchObject({ block: 'nodes' });
    lie = () => undefined;
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([
      { state: 'landed', nonce: 0 },
      { state: 'open', nonce: 1 },
    ]);
  });

  test('one alone cannot have a transfer wait for nonces that no one uses', async () => {
    await openWith(0, 1);
    lie = ({ method }) => (method === 'eth_getTransactionCount' ? '0x3e8' : undefined);
    expect(await lab.turn()).toMatchObject({ block: 'nodes' });
    expect(await lab.transfers()).toEqual([]);
  });
});

describe('the only node', () => {
  test('does not keep the hot wallet for ever from topping up by counting too many transactions', async () => {
    await openWith(1);
    lie = ({ method }) => (method === 'eth_getTransactionCount' ? '0x3e8' : undefined);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'open', nonce: 1_000 }]);
    lie = () => undefined;
    lab.pass(1_000);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'replaced' }, { nonce: 0 }]);
    await lab.mine(1);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('does not keep it by understating the gas either', async () => {
    await openWith(1);
    lie = ({ method }) => (method === 'eth_estimateGas' ? '0x1' : undefined);
    await lab.turn();
    await lab.mine(1);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('has no more sent than the cap by saying that a balance stays low, and all of it to the executor', async () => {
    await openWith(1);
    lie = emptyExecutor;
    for (let round = 0; round < 8; round += 1) {
      await lab.turn();
      await lab.mine(2);
    }
    expect(await lab.turn()).toMatchObject({ block: 'cap' });
    expect(await lab.executorBalance()).toBe(ether('9'));
    expect(await lab.sentInDay()).toBeLessThanOrEqual(ether('10'));
  });

  test('has nothing burned by overstating the price of gas', async () => {
    await openWith(1);
    lie = ({ method }) => (method === 'eth_maxPriorityFeePerGas' ? numberToHex(parseGwei('1000000')) : undefined);
    expect(await lab.turn()).toMatchObject({ block: 'fees' });
    expect(await lab.transfers()).toEqual([]);
  });

  test('has nothing burned by overstating the gas that a transfer needs', async () => {
    await openWith(1);
    lie = ({ method }) => (method === 'eth_estimateGas' ? numberToHex(2_000_000_000n) : undefined);
    expect(await lab.turn()).toMatchObject({ block: 'fees' });
    expect(await lab.transfers()).toEqual([]);
  });

  test('has the same transfer sent under no other nonce by denying that it landed', async () => {
    await openWith(1);
    await lab.turn();
    await lab.mine(3);
    lie = ({ method }) =>
      method === 'eth_getTransactionCount' ? '0x0' : method === 'eth_getTransactionReceipt' ? null : undefined;
    await lab.turn();
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ nonce: 0 }]);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });
});
