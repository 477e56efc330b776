import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { compareLedgerAndChain } from '../../core/ledger/checking/compare-ledger-and-chain.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { systemClock } from '../../server/system-clock.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { openLedger } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import type { DeployedPaymaster } from '../support/paymaster-contracts/paymaster-lab.ts';
import { newAccountOperation, signForBundle } from '../support/paymaster-contracts/send-sponsored.ts';
import { type SingletonLab, singleton, startSingletonLab } from '../support/paymaster-contracts/singleton-lab.ts';

const abi = parseAbi([
  'function depositTo(address account) payable',
  'function execute(address dest, uint256 value, bytes func)',
]);
const bundler = privateKeyToAccount(deriveDevKey(1));
const depositor = privateKeyToAccount(deriveDevKey(2));

let lab: SingletonLab;
beforeAll(async () => {
  lab = await startSingletonLab();
});
afterAll(() => lab.close());

function depositData({ contract }: DeployedPaymaster) {
  return encodeFunctionData({ abi, functionName: 'depositTo', args: [contract.address] });
}

/** An operation that our contract pays for and in which the account makes a deposit for that contract. */
async function bundleWithDeposit(paymaster: DeployedPaymaster, salt: bigint, value: bigint) {
  const { entryPoint } = paymaster.contract;
  const input = { mode: 'SPONSORED', salt, target: entryPoint, data: '0x' } as const;
  const plain = await newAccountOperation(lab, paymaster, input);
  await lab.devnet.client.setBalance({ address: plain.sender, value });
  const args = [entryPoint, value, depositData(paymaster)] as const;
  const operation = { ...plain, callData: encodeFunctionData({ abi, functionName: 'execute', args }) };
  const times = { validUntil: 4_000_000_000, validAfter: 1_000 };
  const signedTerms = {
    mode: 'SPONSORED',
    ...times,
    fundingWallet: depositor.address,
    priceMarkup: 1_000_000,
  } as const;
  return signForBundle(lab, paymaster, operation, signedTerms);
}

async function check(paymaster: DeployedPaymaster) {
  const { chainId, address, entryPoint } = paymaster.contract;
  const location = { chainId, address: getAddress(address), entryPoint: getAddress(entryPoint) };
  const ledger = await openLedger();
  onTestFinished(ledger.close);
  await ensureContractTotals(ledger.store, [location]);
  const client = lab.devnet.client as unknown as ChainClient;
  const watcher = startChainWatcher({
    chainId,
    client,
    nodes: [client],
    watched: [{ entryPoint: location.entryPoint, contracts: [{ address: location.address }] }],
    confirmations: 0,
    pollIntervalMs: 3_600_000,
    startBlock: 0n,
    store: ledger.store,
    clock: systemClock,
    logger: silentLogger,
  });
  await watcher.catchUp();
  await watcher.close();
  return compareLedgerAndChain(ledger.store, client, { location, versions: [] });
}

test.each(entryPointsOfRun)(
  'a deposit inside a bundle that the contract pays for is posted to the wei, EntryPoint %s',
  async (version) => {
    const paymaster = singleton(lab, version);
    const { client } = lab.devnet;
    const to: Address = paymaster.contract.entryPoint;
    const send = (account: typeof bundler, data: Hex, value: bigint) =>
      client.sendTransaction({ account, chain: client.chain, to, data, value, gas: 3_000_000n });
    const mined = async (...hashes: readonly Hex[]) => {
      const receipts = await Promise.all(hashes.map((hash) => client.waitForTransactionReceipt({ hash })));
      expect(receipts.map(({ status }) => status)).toEqual(hashes.map(() => 'success'));
      return new Set(receipts.map(({ blockNumber }) => blockNumber)).size;
    };
    await mined(await send(depositor, depositData(paymaster), parseEther('5')));
    await mined(await send(bundler, await bundleWithDeposit(paymaster, 1n, 1_234n), 0n));
    expect(await check(paymaster)).toMatchObject({
      difference: 0n,
      unattributedDeposits: 1_234n,
      funded: parseEther('5'),
    });

    // Two such bundles, and a deposit that a wallet makes itself, all in one block.
    const bundles = [await bundleWithDeposit(paymaster, 2n, 77n), await bundleWithDeposit(paymaster, 3n, 900n)];
    await client.setAutomine(false);
    const hashes: Hex[] = [];
    for (const data of bundles) hashes.push(await send(bundler, data, 0n));
    hashes.push(await send(depositor, depositData(paymaster), 5n));
    await client.mine({ blocks: 1 });
    await client.setAutomine(true);
    expect(await mined(...hashes)).toBe(1);
    expect(await check(paymaster)).toMatchObject({
      difference: 0n,
      unattributedDeposits: 1_234n + 77n + 900n,
      funded: parseEther('5') + 5n,
    });
  },
);
