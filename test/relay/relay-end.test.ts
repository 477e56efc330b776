import { type Address, getAddress, numberToHex, parseEther } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { newSmartAccount, walletWith } from '../support/chain/chain-lab.ts';
import { costOf, freeOperation, newExecutor, sendBundle, transfer } from '../support/relay/relay-lab.ts';
import { type RpcServer, respondError, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { signTicket } from '../support/service/ticket-lab.ts';

const version = '0.8';
const hour = 3_600;
const filled = parseEther('20');

let service: RunningService;
let devnet: Devnet;
/** A bundler that takes everything; `status` is what it says of an operation by its hash. */
let bundler: RpcServer;
let expected: string;
let status: string | undefined;
let executor: LocalAccount;
let relay: Address;
let paymaster: LabPaymaster;
let wallet: LocalAccount;

beforeAll(async () => {
  bundler = await startRpcServer((request, response) => {
    if (request.method === 'boost_sendUserOperation') return respondResult(response, request, expected);
    if (status === undefined) return respondError(response, request, -32_603, 'not now');
    respondResult(response, request, { status, transactionHash: null });
  });
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
  await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER' } });
  await transfer(devnet, wallet, { to: executor.address, value: filled });
  await vi.waitFor(() => expect(tank().funded).toBe(filled), 20_000);
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

const tank = () => readTank(service.config.database, relay, wallet.address);
const holdOf = ({ sender }: DevUserOperation) => {
  const hold = readHolds(service.config.database, relay, wallet.address).find((one) => one.sender === sender);
  if (hold === undefined) throw new Error('Nothing was held.');
  return hold;
};

/** An operation of a new account that was accepted for relaying. */
async function accept(context: { readonly ticket?: string } = {}): Promise<DevUserOperation> {
  const operation = await freeOperation(devnet, newSmartAccount(version));
  expected = await readUserOperationHash(devnet, operation);
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const params = [sent, relay, numberToHex(devnet.chainId), context];
  expect(await askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', params)).toMatchObject({ result: expected });
  return operation;
}

const release = (operation: DevUserOperation) =>
  service.core.releaseHold({ chainId: devnet.chainId, holdId: holdOf(operation).holdId, reason: 'stuck' });

describe('the hold of a relayed operation, which the operator wants released,', () => {
  let operation: DevUserOperation;
  beforeEach(async () => {
    operation = await accept();
  });

  test('is released once the bundler does not have the operation any more', async () => {
    status = 'not_found';
    const { holdId, sender, nonce, amount } = holdOf(operation);
    const ground = 'the bundler has none of its operations';
    expect(accepted(await release(operation))).toEqual({ holdId, sender, nonce, amount, ground });
    expect(holdOf(operation).state).toBe('released');
  });

  test('stays while the bundler has the operation, and the refusal says until when at most', async () => {
    status = 'submitted';
    const { validUntil } = holdOf(operation);
    const { refusal } = (await release(operation)) as { refusal?: { message: string } };
    expect(refusal).toMatchObject({ reason: 'INVALID_FIELD', field: 'holdId' });
    expect(refusal?.message).toContain(`the bundler has the operation ${expected}`);
    expect(refusal?.message).toContain(new Date(validUntil * 1_000).toISOString().slice(0, 19));
    expect(holdOf(operation).state).toBe('live');
  });

  test('stays while the bundler does not say', async () => {
    status = undefined;
    expect(await release(operation)).toMatchObject({ refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect(holdOf(operation).state).toBe('live');
  });
});

describe('the hold of a relayed operation that does not land', () => {
  test('ends with the ticket of the operation', async () => {
    const { secret = {} } = await paymaster.management.createTicketKey({
      paymasterId: paymaster.paymasterId,
      name: 'backend',
      kind: 'EDDSA',
    });
    const { timestamp } = await devnet.client.getBlock();
    const exp = Math.max(Number(timestamp), Math.floor(Date.now() / 1_000)) + 600;
    const operation = await accept({ ticket: await signTicket(secret, { aud: paymaster.paymasterId, exp }) });
    expect(holdOf(operation).validUntil).toBe(exp);
  });

  test('ends after an hour, also with the bundler silent; if it lands later, the tank pays no more than was held', async () => {
    status = undefined;
    const { timestamp } = await devnet.client.getBlock();
    const operation = await accept();
    const { validUntil, amount } = holdOf(operation);
    expect(validUntil).toBeGreaterThanOrEqual(Number(timestamp) + hour);
    expect(validUntil).toBeLessThan(Number(timestamp) + hour + 600);
    const { settled } = tank();
    await devnet.client.setNextBlockTimestamp({ timestamp: BigInt(validUntil) });
    await devnet.client.mine({ blocks: 1 });
    await service.core.checkLedger({ allRows: false });
    expect(holdOf(operation).state).toBe('live');
    await devnet.client.setNextBlockTimestamp({ timestamp: BigInt(validUntil) + 1n });
    await devnet.client.mine({ blocks: 1 });
    await vi.waitFor(() => expect(holdOf(operation).state).toBe('released'), 20_000);

    const receipt = await sendBundle(devnet, executor, [operation]);
    await vi.waitFor(() => expect(tank().settled).toBe(settled + costOf(receipt)), 20_000);
    expect(costOf(receipt)).toBeLessThanOrEqual(amount);
  });
});
