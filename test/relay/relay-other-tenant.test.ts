import { join } from 'node:path';
import { type Address, encodeDeployData, getAddress, type Hex, numberToHex, parseEther, zeroAddress } from 'viem';
import { type LocalAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { bundler as deployer, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { delegationHash, delegationOnWire, signedDelegation } from '../support/relay/delegation-lab.ts';
import { bundleData, costOf, newExecutor, transfer } from '../support/relay/relay-lab.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

// Two tenants relay operations of one sender and nonce through EntryPoint 0.8, whose hashes depend on the sender's delegate. The sender
// delegates to other code before the bundle, so what lands has a hash that neither tank has seen.

const version = '0.8';
const filled = parseEther('20');

type Tenant = LabPaymaster & { readonly wallet: LocalAccount };

let service: RunningService;
let devnet: Devnet;
/** A bundler that takes everything; the test sends the bundles with its wallet. */
let bundler: RpcServer;
let expected: Hex;
let executor: LocalAccount;
let relay: Address;
/** An account that accepts every signature and writes slots, whatever its call data says. */
let liar: Address;
let victim: Tenant;
let attacker: Tenant;

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
  liar = await deployLiar();
  victim = await openTenant();
  attacker = await openTenant();
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

async function deployLiar(): Promise<Address> {
  const compiled = compileSolidity(join(import.meta.dirname, '../attacks/contracts/LyingAccount.sol'));
  const contract = compiled.get('LyingAccount');
  if (contract === undefined) throw new Error('There is no lying account.');
  const data = encodeDeployData({ ...contract, bytecode: contract.creationBytecode, args: [4, zeroAddress] });
  const hash = await devnet.client.sendTransaction({ account: deployer, chain: devnet.client.chain, data });
  const { contractAddress } = await devnet.client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('Nothing was deployed.');
  return contractAddress;
}

async function openTenant(): Promise<Tenant> {
  const paymaster = await openPaymaster(service, version);
  const wallet = await walletWith(devnet, parseEther('100'));
  await chooseWallet(paymaster, wallet);
  const policy = { relay: 'PREFER', allowAccountDeployment: true } as const;
  await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy });
  await transfer(devnet, wallet, { to: executor.address, value: filled });
  const tenant = { ...paymaster, wallet };
  await vi.waitFor(() => expect(tankOf(tenant).funded).toBe(filled), 20_000);
  return tenant;
}

const tankOf = ({ wallet }: Tenant) => readTank(service.config.database, relay, wallet.address);
const lastHold = ({ wallet }: Tenant) => readHolds(service.config.database, relay, wallet.address).at(-1);

/** The first operation of an owner, which delegates to known code and calls the target so many times. */
async function operationOf(owner: PrivateKeyAccount, calls: number): Promise<DevUserOperation> {
  const increments = Array.from({ length: calls }, () => targetCall(devnet, 'increment'));
  return signedDelegation(devnet, owner, devnet.simple7702Account, {
    callData: encodeAccountCalls(version, increments),
    callGasLimit: 60_000n * BigInt(calls),
  });
}

/** Has a tenant accept an operation, with the authorization that it names. */
async function accept(tenant: Tenant, owner: PrivateKeyAccount, operation: DevUserOperation): Promise<bigint> {
  const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
  expected = delegationHash(devnet, operation, authorization.address);
  const params = [delegationOnWire(operation, authorization), relay, numberToHex(devnet.chainId), {}];
  expect(await askRpc(tenant.rpcUrl, 'tollfree_relayUserOperation', params)).toMatchObject({ result: expected });
  expect(lastHold(tenant)).toMatchObject({ state: 'live', sender: operation.sender });
  return lastHold(tenant)?.amount ?? 0n;
}

/** The executor's bundle of an operation whose sender delegates to other code than was accepted. */
async function bundleWithLiar(owner: PrivateKeyAccount, operation: DevUserOperation) {
  const hash = await devnet.client.sendTransaction({
    account: executor,
    chain: devnet.client.chain,
    to: relay,
    data: bundleData([operation], executor.address),
    gas: 1_500_000n,
    authorizationList: [await signDelegation(devnet, owner, liar)],
  });
  const receipt = await devnet.client.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return receipt;
}

/** What the tanks paid once nothing is held, and what no tank did. The ledger is the executor's balance to the wei. */
async function paid() {
  await vi.waitFor(() => expect([tankOf(victim).held, tankOf(attacker).held]).toEqual([0n, 0n]), 20_000);
  const reports = accepted(await service.core.checkLedger({ allRows: true }));
  const own = reports.find(({ contract }) => contract === relay);
  expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [] });
  return {
    victim: tankOf(victim).settled,
    attacker: tankOf(attacker).settled,
    operator: own?.unexplainedCosts ?? 0n,
  };
}

describe('a relayed operation whose sender delegates to other code before the bundle', () => {
  let owner: PrivateKeyAccount;
  let before: Awaited<ReturnType<typeof paid>>;
  beforeEach(async () => {
    owner = privateKeyToAccount(freshKey());
    before = await paid();
  });

  test('is paid for by the tank that accepted it, and never by another that holds for the same nonce', async () => {
    await accept(victim, owner, await operationOf(owner, 1));
    const other = await operationOf(owner, 2);
    const held = await accept(attacker, owner, other);
    const receipt = await bundleWithLiar(owner, other);
    const cost = costOf(receipt);
    expect(cost).toBeLessThanOrEqual(held);
    expect(await paid()).toEqual({ ...before, attacker: before.attacker + cost });
    expect(lastHold(victim)).toMatchObject({ state: 'released' });
    expect(lastHold(attacker)).toMatchObject({ state: 'settled' });
  });

  test('is paid for by that tank too if it is the only one that holds for the nonce', async () => {
    const operation = await operationOf(owner, 1);
    await accept(attacker, owner, operation);
    const receipt = await bundleWithLiar(owner, operation);
    expect(await paid()).toEqual({ ...before, attacker: before.attacker + costOf(receipt) });
  });

  test('is found by its bytes whether the bundler writes the marker in full or not', async () => {
    const operation = await operationOf(owner, 1);
    await accept(attacker, owner, operation);
    const padded = { ...operation, initCode: `0x7702${'00'.repeat(18)}` as Hex };
    const receipt = await bundleWithLiar(owner, padded);
    expect(await paid()).toEqual({ ...before, attacker: before.attacker + costOf(receipt) });
  });

  test('is paid for by the operator where no tank accepted its bytes, and ends the holds of its nonce', async () => {
    await accept(victim, owner, await operationOf(owner, 1));
    const receipt = await bundleWithLiar(owner, await operationOf(owner, 2));
    expect(await paid()).toEqual({ ...before, operator: before.operator + costOf(receipt) });
    expect(lastHold(victim)).toMatchObject({ state: 'released' });
  });
});
