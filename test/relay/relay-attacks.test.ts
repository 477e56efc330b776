import { type Address, getAddress, type Hex, numberToHex, parseEther, parseGwei } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { newSmartAccount, walletWith } from '../support/chain/chain-lab.ts';
import { bundleData, costOf, freeOperation, newExecutor, sendBundle, transfer } from '../support/relay/relay-lab.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';

/** Accepts every signature, and burns all gas of its call. */
const burner: Hex = '0x5f3560e01c6319822f7c146012575b600e565b60205ff3';
const alwaysReverts: Hex = '0x5f5ffd';

let service: RunningService;
let devnet: Devnet;
/** A bundler that takes everything; the test sends the bundles with its wallet. */
let bundler: RpcServer;
let expected: Hex;
let executor: LocalAccount;
let relay: Address;
let paymaster: LabPaymaster;
let wallet: LocalAccount;

beforeAll(async () => {
  bundler = await startRpcServer(({ id }, response) => respond(response, { jsonrpc: '2.0', id, result: expected }));
  service = await startService({
    configure: async (config, chain) => {
      executor = await newExecutor(chain);
      const relayed = { kind: 'ALTO', url: bundler.url, executors: [executor.address], entryPoint: version } as const;
      return { ...config, chains: config.chains.map((one) => ({ ...one, relay: relayed })) };
    },
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  wallet = await walletWith(devnet, parseEther('100'));
  paymaster = await openPaymaster(service, version);
  await chooseWallet(paymaster, wallet);
  await paymaster.management.setPolicy({
    apiKey: paymaster.apiKey,
    policy: { relay: 'PREFER', sponsorAllCalls: true, allowRevertingOperations: true },
  });
  await transfer(devnet, wallet, { to: executor.address, value: parseEther('20') });
  await vi.waitFor(() => expect(tank().funded).toBe(parseEther('20')), 20_000);
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

const tank = () => readTank(service.config.database, relay, wallet.address);
const lastHold = () => readHolds(service.config.database, relay, wallet.address).at(-1);

async function relayed(operation: DevUserOperation): Promise<bigint> {
  expected = await readUserOperationHash(devnet, operation);
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const answer = await askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', [
    sent,
    relay,
    numberToHex(devnet.chainId),
    {},
  ]);
  expect(answer.message).toBeUndefined();
  expect(answer.result).toBe(expected);
  const held = lastHold();
  expect(held).toMatchObject({ state: 'live', sender: operation.sender });
  return held?.amount ?? 0n;
}

/** What the tank paid once the hold had ended. */
async function charged(before: bigint): Promise<bigint> {
  await vi.waitFor(() => expect(tank().held).toBe(0n), 20_000);
  const reports = accepted(await service.core.checkLedger({ allRows: true }));
  const own = reports.find(({ contract }) => contract === relay);
  expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [] });
  return tank().settled - before;
}

/** An account that is on chain. */
async function deployed() {
  const account = newSmartAccount(version);
  const first = await freeOperation(devnet, account);
  await sendBundle(devnet, await newExecutor(devnet), [first]);
  return account;
}

describe('the sponsor of a relayed operation loses no more than was held', () => {
  test('when the account becomes another one after the check, and burns all its gas', async () => {
    const { settled } = tank();
    const operation = await freeOperation(devnet, await deployed());
    const held = await relayed(operation);
    await devnet.client.setCode({ address: operation.sender, bytecode: burner });
    const receipt = await sendBundle(devnet, executor, [operation]);
    expect(receipt.gasUsed).toBeGreaterThan(operation.callGasLimit);
    expect(await charged(settled)).toBe(costOf(receipt));
    expect(costOf(receipt)).toBeLessThanOrEqual(held);
  });

  test('and nothing when its bundle fails: the operation stays held until its nonce is used', async () => {
    const { settled } = tank();
    const operation = await freeOperation(devnet, await deployed());
    await relayed(operation);
    const code = await devnet.client.getCode({ address: operation.sender });
    await devnet.client.setCode({ address: operation.sender, bytecode: alwaysReverts });
    const failed = await sendBundle(devnet, executor, [operation]);
    expect(failed.status).toBe('reverted');
    await devnet.client.setCode({ address: operation.sender, bytecode: code ?? '0x' });
    const landed = await sendBundle(devnet, executor, [operation]);
    expect(await charged(settled)).toBe(costOf(landed));
  });

  test('and what it used when its own call reverts', async () => {
    const { settled } = tank();
    const account = await deployed();
    const operation = await freeOperation(devnet, account, {
      callData: (await freeOperation(devnet, account)).callData.replace('d09de08a', 'deadbeef') as Hex,
    });
    const held = await relayed(operation);
    const receipt = await sendBundle(devnet, executor, [operation]);
    expect(await charged(settled)).toBe(costOf(receipt));
    expect(costOf(receipt)).toBeLessThanOrEqual(held);
  });

  test('and the same operation that is bundled twice is paid for once', async () => {
    const { settled } = tank();
    const operation = await freeOperation(devnet, await deployed());
    await relayed(operation);
    const receipt = await sendBundle(devnet, executor, [operation]);
    const again = await sendBundle(devnet, executor, [operation]);
    expect(again.status).toBe('reverted');
    expect(await charged(settled)).toBe(costOf(receipt));
  });

  // The last one: the node suggests that price from then on, and nothing is relayed at it.
  test('when the executor pays far more for its gas than was allowed', async () => {
    const { settled } = tank();
    const operation = await freeOperation(devnet, await deployed());
    const held = await relayed(operation);
    const hash = await devnet.client.sendTransaction({
      account: executor,
      chain: devnet.client.chain,
      to: relay,
      data: bundleData([operation], executor.address),
      gas: 1_000_000n,
      maxFeePerGas: parseGwei('900'),
      maxPriorityFeePerGas: parseGwei('800'),
    });
    const receipt = await devnet.client.waitForTransactionReceipt({ hash });
    expect(costOf(receipt)).toBeGreaterThan(held);
    expect(await charged(settled)).toBe(held);
  });
});
