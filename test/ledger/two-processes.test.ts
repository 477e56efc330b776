import { type Address, encodeFunctionData, getAddress, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { ChainWatcher } from '../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { openStore } from '../../core/store/open-store.ts';
import type { Store } from '../../core/store/store.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { systemClock } from '../../server/system-clock.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { openLedger, readTank } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const abi = parseAbi(['function depositTo(address account) payable']);
const wallet = privateKeyToAccount(deriveDevKey(1));

let devnet: Devnet;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let contract: Address;
let entryPoint: Address;

beforeEach(async () => {
  devnet = await leaseDevnet(wallet.address);
  ledger = await openLedger();
  contract = getAddress(devnet.paymasterContracts['pimlico-singleton-0.7']);
  entryPoint = getAddress(devnet.entryPoints['0.7']);
  await ensureContractTotals(ledger.store, [{ chainId: devnet.chainId, address: contract }]);
});
afterEach(async () => {
  await ledger.close();
  await devnet.close();
});

function watch(client: ChainClient, store: Store): ChainWatcher {
  const watcher = startChainWatcher({
    chainId: devnet.chainId,
    client,
    nodes: [client],
    watched: [{ entryPoint, contracts: [{ address: contract }] }],
    confirmations: 0,
    pollIntervalMs: 3_600_000,
    startBlock: 0n,
    store,
    clock: systemClock,
    logger: silentLogger,
  });
  onTestFinished(() => watcher.close());
  return watcher;
}

async function deposit(value: bigint): Promise<void> {
  const { client: chain } = devnet;
  const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [contract] });
  const hash = await chain.sendTransaction({ account: wallet, chain: chain.chain, to: entryPoint, data, value });
  await chain.waitForTransactionReceipt({ hash });
}

/** A client that stops at its nth question for a numbered block, until it is woken. */
function pausingClient(nth: number) {
  const client = devnet.client as unknown as ChainClient;
  let asks = 0;
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const getBlock = async (asked: { readonly blockNumber?: bigint }) => {
    const block = await client.getBlock(asked);
    if (asked.blockNumber !== undefined) asks += 1;
    if (asks >= nth) {
      arrive();
      await woken;
    }
    return block;
  };
  return { client: { ...client, getBlock } as unknown as ChainClient, arrived, wake: () => wake() };
}

const nextBlock = async () =>
  (await ledger.store.db.selectFrom('contract_watches').select('next_block').executeTakeFirstOrThrow()).next_block;
const funded = async () =>
  (await readTank(ledger.store, { chainId: devnet.chainId, contract, wallet: wallet.address }))?.funded;

for (const begun of [false, true]) {
  const where = begun ? 'in the middle of the ledger' : 'at its beginning';
  test(`a process that was paused ${where} neither sets the watch back nor takes a deposit twice`, async () => {
    const other = await openStore(ledger.database);
    onTestFinished(() => other.close());
    if (begun) await watch(devnet.client as unknown as ChainClient, ledger.store).catchUp();
    // Of a stretch without events no constraint of the database says that it is taken in twice.
    if (begun) await devnet.client.mine({ blocks: 1 });
    else await deposit(10n);
    // It asks for the last block of its stretch, and before that for the last one in the ledger.
    const slow = pausingClient(begun ? 2 : 1);
    const slowWatcher = watch(slow.client, other);
    await slow.arrived;
    await deposit(32n);
    const fast = watch(devnet.client as unknown as ChainClient, ledger.store);
    await fast.catchUp();
    const reached = await nextBlock();
    slow.wake();
    await slowWatcher.catchUp();
    expect(await nextBlock()).toBe(reached);
    await deposit(100n);
    await fast.catchUp();
    await slowWatcher.catchUp();
    expect(await funded()).toBe(begun ? 132n : 142n);
  });
}
