import { numberToHex, pad } from 'viem';
import { expect, test } from 'vitest';
import { readLedgers } from '../../core/ledger/checking/read-ledgers.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { postEvents } from '../../core/ledger/posting/post-events.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { chainId, contract, depositEvent, entryPoint, numberedAddress } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

const otherChain = chainId + 1;
const unused = numberedAddress(0xc2);
/** One address on two chains, and a contract that has no records yet. */
const checked = [
  { location: { chainId, address: contract, entryPoint }, versions: ['1'] },
  { location: { chainId, address: unused, entryPoint }, versions: ['1'] },
  { location: { chainId: otherChain, address: contract, entryPoint }, versions: ['2'] },
] as const;

const read = (some: Parameters<typeof readLedgers>[1]) =>
  ledger.store.read((snapshot) => readLedgers(snapshot, some, {}));

/** A deposit of each wallet, one of no one, and on the other chain a tank that says more than its entries. */
async function fillBoth(): Promise<void> {
  const { store } = ledger;
  await ensureContractTotals(store, [{ chainId, address: unused }]);
  await ensureContractTotals(store, [{ chainId: otherChain, address: contract }]);
  for (const [chain, wallets] of [
    [chainId, [1, 2]],
    [otherChain, [1]],
  ] as const) {
    const txHash = pad(numberToHex(chain), { size: 32 });
    const ofNoOne = {
      kind: 'deposit',
      contract,
      totalDeposit: 0n,
      rise: 7n,
      blockNumber: 1n,
      txHash,
      logIndex: 1,
    } as const;
    const events = [...wallets.map((wallet) => depositEvent(wallet, BigInt(chain))), ofNoOne];
    const stretch = {
      chainId: chain,
      contract,
      events,
      watchBefore: undefined,
      nextBlock: BigInt(chain),
      lastHash: '0x',
    } as const;
    await store.transaction((transaction) => postEvents(transaction, stretch, 1));
  }
  const more = toWeiText(BigInt(otherChain) + 5n);
  await store.db.updateTable('tanks').set({ funded: more }).where('chain_id', '=', otherChain).execute();
}

test('the ledgers of several contracts read together equal those read one by one', async () => {
  await fillBoth();
  const [first, second, third] = await read(checked);
  expect([first, second, third]).toEqual((await Promise.all(checked.map((one) => read([one])))).flat());
  expect(first).toMatchObject({
    moment: { atBlock: BigInt(chainId) - 1n },
    ledger: {
      faults: [],
      funded: 2n * BigInt(chainId),
      strayDeposits: [{ amount: 7n }],
      idle: [{ wallet: numberedAddress(1) }, { wallet: numberedAddress(2) }],
    },
  });
  expect(second).toMatchObject({ moment: undefined, ledger: { faults: [], funded: 0n, strayDeposits: [], idle: [] } });
  expect(third).toMatchObject({
    moment: { atBlock: BigInt(otherChain) - 1n },
    ledger: {
      faults: [`funded of tank ${numberedAddress(1)}: stored ${otherChain + 5} wei, sum of entries ${otherChain} wei`],
    },
  });
});
