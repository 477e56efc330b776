import { join } from 'node:path';
import { toSafeSmartAccount } from 'permissionless/accounts';
import {
  type Abi,
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  parseEther,
  zeroAddress,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { deploymentProxy, zeroSalt } from '../../core/evm/deployment-proxy.ts';
import { tankFunderAbi, tankFunderBytecode } from '../../core/evm/tank-funder/tank-funder.generated.ts';
import { tankFunderAddress } from '../../core/evm/tank-funder/tank-funder.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { readChainEvents } from '../../core/node/read-chain-events.ts';
import { accepted } from '../../server/accepted.ts';
import { deploySafe } from '../../server/dev/devnet/deploy-safe.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import {
  bundler,
  depositOf,
  newSmartAccount,
  nextOperation,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { forward, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { chainClient } from '../support/service/client-lab.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const safeAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
]);
const attacks = compileSolidity(join(import.meta.dirname, 'contracts/FillingAttacks.sol')).get('FillingAttacks');
const patience = { timeout: 30_000, interval: 100 };

let service: RunningService;
let devnet: Devnet;
beforeAll(async () => {
  service = await startService({ ownNode: true });
  devnet = service.devnet;
  await deploySafe(devnet.client, bundler);
});
afterAll(() => service.close());

async function send(to: Address | null, data: Hex, value = 0n, from: PrivateKeyAccount | typeof bundler = bundler) {
  const hash = await devnet.client.sendTransaction({ account: from, chain: devnet.client.chain, to, data, value });
  return devnet.client.waitForTransactionReceipt({ hash });
}

/** A Safe of one owner on chain, with coin, that is the paymaster's funding wallet. */
async function fundingSafe(paymaster: LabPaymaster): Promise<{ address: Address; exec: typeof execute }> {
  const owner = privateKeyToAccount(freshKey());
  await devnet.client.setBalance({ address: owner.address, value: parseEther('10') });
  const safe = await toSafeSmartAccount({ client: chainClient(devnet), owners: [owner], version: '1.4.1' });
  const { factory, factoryData } = await safe.getFactoryArgs();
  await send(factory ?? null, factoryData ?? '0x');
  await devnet.client.setBalance({ address: safe.address, value: parseEther('10') });
  const { management, apiKey, paymasterId } = paymaster;
  const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
  const signature = await safe.signMessage({ message: fundingMessage });
  await management.setFundingWallet({ apiKey, paymasterId, signature, address: safe.address });
  const execute = async (to: Address, data: Hex, value: bigint) => {
    // The owner sends it, which stands for a signature (`v` of 1).
    const signatures = concat([pad(owner.address), pad('0x'), '0x01']);
    const args = [to, value, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures] as const;
    const receipt = await send(safe.address, encodeFunctionData({ abi: safeAbi, args }), 0n, owner);
    expect(receipt.status).toBe('success');
  };
  return { address: safe.address, exec: execute };
}
declare const execute: (to: Address, data: Hex, value: bigint) => Promise<void>;

const tankOf = ({ management, apiKey }: LabPaymaster) => management.readGasTank({ apiKey });

/** What is in the tank once all of it is confirmed, next to ledger and chain, which agree to the wei. */
async function expectFunded(paymaster: LabPaymaster, funded: bigint): Promise<void> {
  await mineConfirmations(devnet);
  await vi.waitFor(async () => expect((await tankOf(paymaster)).funded).toBe(String(funded)), patience);
  await expectExact(paymaster.version);
}

async function expectExact(version: EntryPointVersion): Promise<void> {
  const contract = devnet.paymasterContracts[devnetFamilies[version]];
  await vi.waitFor(async () => {
    const report = accepted(await service.core.checkLedger({ allRows: true })).find((one) => one.contract === contract);
    expect(report).toMatchObject({
      state: 'compared',
      difference: 0n,
      faults: [],
      chainDeposit: await depositOf(devnet, version, contract),
    });
  }, patience);
}

function fillingOf(version: EntryPointVersion, wallet: Address): Hex {
  const args = [devnet.entryPoints[version], devnet.paymasterContracts[devnetFamilies[version]], wallet] as const;
  return encodeFunctionData({ abi: tankFunderAbi, functionName: 'fillTank', args });
}

test('before the contract is on chain, the funding wallet itself has to send the deposit', async () => {
  const paymaster = await openPaymaster(service, '0.7');
  await chooseWallet(paymaster, await walletWith(devnet, parseEther('1')));
  expect((await tankOf(paymaster)).filling).toMatchObject({ from: 'funding-wallet', to: devnet.entryPoints['0.7'] });
  await send(deploymentProxy, concat([zeroSalt, tankFunderBytecode]));
  expect((await tankOf(paymaster)).filling).toMatchObject({ from: 'anybody', to: tankFunderAddress });
});

describe.each(entryPointVersions)('on EntryPoint %s', (version) => {
  let paymaster: LabPaymaster;
  beforeAll(async () => {
    paymaster = await openPaymaster(service, version);
  });

  test('a Safe fills its tank with the call that the tank names, and an operation lands on it', async () => {
    const safe = await fundingSafe(paymaster);
    const { filling } = await tankOf(paymaster);
    if (filling === undefined) throw new Error('The tank does not say how it is filled.');
    await safe.exec(filling.to as Address, filling.data as Hex, parseEther('1.5') + 7n);
    await expectFunded(paymaster, parseEther('1.5') + 7n);
    const { entries } = await paymaster.management.listGasTankEntries({ apiKey: paymaster.apiKey });
    expect(entries).toMatchObject([{ kind: 'deposit', amount: String(parseEther('1.5') + 7n) }]);
    const account = newSmartAccount(version);
    const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const operation = withAnswer(drafted, await sponsor(paymaster.rpcUrl, drafted));
    expect(await land(devnet, account, operation)).toMatchObject({ success: true });
    await mineConfirmations(devnet);
    await vi.waitFor(async () => expect(BigInt((await tankOf(paymaster)).settled)).toBeGreaterThan(0n), patience);
    await expectExact(version);
  });

  // The contract does the same on each.
  if (!isLongRun && !tabledEntryPoints.includes(version)) return;

  test('a deposit of a Safe to the EntryPoint itself stays in no tank, to be credited by the operator', async () => {
    const own = await openPaymaster(service, version);
    const safe = await fundingSafe(own);
    const depositTo = parseAbi(['function depositTo(address account) payable']);
    const args = [devnet.paymasterContracts[devnetFamilies[version]]] as const;
    await safe.exec(devnet.entryPoints[version], encodeFunctionData({ abi: depositTo, args }), 5n);
    await safe.exec(tankFunderAddress, fillingOf(version, safe.address), 6n);
    await expectFunded(own, 6n);
  });

  test('several deposits of one transaction go where each says, and what names no one goes nowhere', async () => {
    const [one, other] = [await openPaymaster(service, version), await openPaymaster(service, version)];
    const wallets = [await walletWith(devnet, 1n), await walletWith(devnet, 1n)] as const;
    await chooseWallet(one, wallets[0]);
    await chooseWallet(other, wallets[1]);
    const attacker = await deployAttacks(version);
    await attacker('several', [wallets[0].address, wallets[1].address], 111n * 1_000_003n);
    await expectFunded(one, 1_000_003n);
    await expectFunded(other, 10_000_030n);
  });

  test.each(['forge', 'borrow', 'pose', 'undo'])('%s fills no tank', async (functionName) => {
    const own = await openPaymaster(service, version);
    const wallet = await walletWith(devnet, 1n);
    await chooseWallet(own, wallet);
    const attacker = await deployAttacks(version);
    await attacker(functionName, [wallet.address], 1_000n);
    // One that counts, behind it: what came before it has been read then.
    await send(tankFunderAddress, fillingOf(version, wallet.address), 3n);
    await expectFunded(own, 3n);
  });
});

/** The attacking contract, with coin of its own. */
async function deployAttacks(version: EntryPointVersion) {
  if (attacks === undefined) throw new Error('The compiler returned no FillingAttacks.');
  const { abi, creationBytecode: bytecode } = attacks;
  const contract = devnet.paymasterContracts[devnetFamilies[version]];
  const args = [tankFunderAddress, devnet.entryPoints[version], contract];
  const { contractAddress } = await send(null, encodeDeployData({ abi, bytecode, args }));
  const address = contractAddress ?? zeroAddress;
  await devnet.client.setBalance({ address, value: 10n });
  return async (functionName: string, given: readonly unknown[], value: bigint) => {
    const data = encodeFunctionData({ abi: abi as Abi, functionName, args: given });
    expect((await send(address, data, value)).status).toBe('success');
  };
}

test('nothing is filled with nothing, nor through an EntryPoint without code', async () => {
  const wallet = await walletWith(devnet, 1n);
  const { abi } = { abi: tankFunderAbi };
  const contract = devnet.paymasterContracts[devnetFamilies['0.8']];
  const call = (entryPoint: Address, value: bigint) =>
    devnet.client.simulateContract({
      account: bundler,
      address: tankFunderAddress,
      abi,
      functionName: 'fillTank',
      args: [entryPoint, contract, wallet.address],
      value,
    });
  await expect(call(devnet.entryPoints['0.8'], 0n)).rejects.toThrow('NothingSent');
  await expect(call(wallet.address, 1n)).rejects.toThrow('reverted');
  await expect(call(devnet.entryPoints['0.8'], 1n)).resolves.toBeDefined();
});

describe('a node that leaves out what the tank funder tells', () => {
  /** Reads the block of a new filling through a node that answers questions about the funder as it is told. */
  async function readThrough(leavesOut: (question: number) => boolean) {
    const { address } = await walletWith(devnet, 1n);
    const { blockNumber } = await send(tankFunderAddress, fillingOf('0.8', address), 77n);
    let questions = 0;
    const node = await startRpcServer(async (request, response) => {
      const isAboutFunder = JSON.stringify(request.params).toLowerCase().includes(tankFunderAddress.toLowerCase());
      const isCounted = request.method === 'eth_getLogs' && isAboutFunder;
      if (isCounted) questions += 1;
      if (isCounted && leavesOut(questions)) respondResult(response, request, []);
      else respond(response, await forward(devnet.rpcUrl, request));
    });
    const nodes = { name: 'test', nodeUrls: [node.url], callTimeoutMs: 5_000, pollIntervalMs: 100 };
    const client = createChainClient({ chainId: devnet.chainId, ...nodes });
    const contracts = [{ address: devnet.paymasterContracts[devnetFamilies['0.8']] }];
    const range = { entryPoint: devnet.entryPoints['0.8'], contracts, fromBlock: blockNumber, toBlock: blockNumber };
    return { address, events: readChainEvents(client, range).finally(node.close) };
  }

  test('names the wallet when it tells all', async () => {
    const { address, events } = await readThrough(() => false);
    expect(await events).toMatchObject([{ kind: 'deposit', direct: { wallet: address, amount: 77n } }]);
  });

  test('is found out when it tells it the second time', async () => {
    const { events } = await readThrough((question) => question === 1);
    await expect(events).rejects.toThrow('reports other events of block');
  });

  test('leaves the deposit to the operator when it never tells it, and its amount stays exact', async () => {
    const { events } = await readThrough(() => true);
    const [deposit, ...others] = await events;
    expect(others).toEqual([]);
    expect(deposit).toMatchObject({ kind: 'deposit', rise: 77n });
    expect(deposit).not.toHaveProperty('direct');
  });
});

test('a filling lost in a reorg is rolled back, and posted once when it lands again', async () => {
  const paymaster = await openPaymaster(service, '0.8');
  const wallet = await walletWith(devnet, 1n);
  await chooseWallet(paymaster, wallet);
  const fill = () => send(tankFunderAddress, fillingOf('0.8', wallet.address), 12_345n);
  await fill();
  await expectFunded(paymaster, 12_345n);
  await devnet.client.request({ method: 'anvil_reorg' as never, params: [12, []] as never });
  await mineConfirmations(devnet);
  await vi.waitFor(async () => expect((await tankOf(paymaster)).funded).toBe('0'), patience);
  await expectExact('0.8');
  await fill();
  await expectFunded(paymaster, 12_345n);
});
