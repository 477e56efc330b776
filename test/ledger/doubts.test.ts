import { RpcRequestError, toHex } from 'viem';
import { expect, test } from 'vitest';
import { biconomySponsorship07 } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-0.7.ts';
import { findDoubt } from '../../core/ledger/following/find-doubt.ts';
import { createPatience } from '../../core/ledger/following/following.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { ChainEvent } from '../../core/node/chain-event.ts';
import {
  chainId,
  chargedEvent,
  contract,
  customerDeposit,
  customerWithdrawal,
  landedEvent,
  numberedAddress,
  post,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const wallet = numberedAddress(1);
const customers = biconomySponsorship07.customerFunding;
if (customers === undefined) throw new Error('The contract keeps no balances.');
const { balanceData } = customers;

const ledger = useLedger();

type Balances = { readonly [wallet: number]: readonly [before: bigint, after: bigint] };

/** Blocks 5 to 9 of a contract whose customers' balances were and are these; none has any else. */
async function doubt(events: readonly ChainEvent[], balances: Balances | Error, fromBlock = 5n) {
  const asked: bigint[] = [];
  const call = async ({ data, blockNumber }: { data: string; blockNumber: bigint }) => {
    asked.push(blockNumber);
    if (balances instanceof Error) throw balances;
    const [, both = [0n, 0n]] = Object.entries(balances).find(([n]) => data === balanceData(numberedAddress(+n))) ?? [];
    return { data: toHex(both[blockNumber === 9n ? 1 : 0] ?? 0n, { size: 32 }) };
  };
  const reported = { chainId, contract: { address: contract, customers }, events, fromBlock, toBlock: 9n };
  const found = await findDoubt(ledger.store, { call } as unknown as ChainClient, reported as never);
  return { found, asked };
}

const moved = [
  ...customerDeposit(1, 50n),
  ...customerWithdrawal(1, 20n),
  chargedEvent(landedEvent(0xa1, 0n, 3n), 1, 4n),
];

test('events that come to what the contract keeps are believed', async () => {
  const { found, asked } = await doubt(moved, { 1: [100n, 126n] });
  expect(found).toBeUndefined();
  expect(new Set(asked)).toEqual(new Set([4n, 9n]));
});

test('before the first block of all no one has a balance', async () => {
  const { found, asked } = await doubt(customerDeposit(1, 50n), { 1: [7n, 50n] }, 0n);
  expect(found).toBeUndefined();
  expect(asked).toEqual([9n]);
  // In block 0 someone may.
  expect((await doubt(customerDeposit(1, 50n), { 1: [7n, 57n] }, 1n)).found).toBeUndefined();
});

test('a balance that fell by more than they tell is certain to be left out, one that rose may be the owner’s doing', async () => {
  const what = (after: bigint) => `the balance of ${wallet} is ${after} wei but the events add up to 126 wei`;
  expect((await doubt(moved, { 1: [100n, 125n] })).found).toEqual({ kind: 'certain', what: what(125n) });
  expect((await doubt(moved, { 1: [100n, 127n] })).found).toEqual({ kind: 'possible', what: what(127n) });
});

test('the balance of a customer of whom the events say nothing counts as well', async () => {
  await post(ledger.store, customerDeposit(2, 1n));
  expect((await doubt(moved, { 1: [100n, 126n], 2: [30n, 29n] })).found).toMatchObject({ kind: 'certain' });
  // What is certain is said, whatever else there is.
  expect((await doubt(moved, { 1: [100n, 127n], 2: [30n, 29n] })).found).toMatchObject({ kind: 'certain' });
  expect((await doubt(moved, { 1: [100n, 126n], 2: [30n, 30n] })).found).toBeUndefined();
});

test('a deposit by way of the contract without its customer may have been told by half', async () => {
  const [deposit] = customerDeposit(1, 50n);
  if (deposit?.kind !== 'deposit') throw new Error('There is no deposit.');
  const byContract = { ...deposit, called: contract };
  const { found } = await doubt([byContract], {});
  expect(found).toEqual({
    kind: 'possible',
    what: `the deposit of transaction ${deposit.txHash} was reported without its customer`,
  });
  const { txHash, blockNumber } = deposit;
  const itsCustomer = {
    kind: 'customer-deposit',
    contract,
    wallet,
    amount: 50n,
    txHash,
    blockNumber,
    logIndex: 99,
  } as const;
  expect((await doubt([byContract, itsCustomer], { 1: [0n, 50n] })).found).toBeUndefined();
  expect((await doubt([{ ...deposit, called: numberedAddress(0xc9) }], {})).found).toBeUndefined();
});

test('nothing is doubted where nothing happened, no balances are kept, or their state is gone', async () => {
  await post(ledger.store, customerDeposit(1, 1n));
  expect(await doubt([], { 1: [100n, 0n] })).toEqual({ found: undefined, asked: [] });
  const plain = { chainId, contract: { address: contract }, events: moved, fromBlock: 5n, toBlock: 9n };
  expect(await findDoubt(ledger.store, {} as ChainClient, plain)).toBeUndefined();
  const error = { code: -32_000, message: 'missing trie node 1f2e' };
  const gone = new RpcRequestError({ body: {}, url: 'http://node', error });
  expect((await doubt(moved, gone)).found).toBeUndefined();
  const away = new RpcRequestError({ body: {}, url: 'http://node', error: { ...error, message: 'overloaded' } });
  await expect(doubt(moved, away)).rejects.toThrow('overloaded');
});

test('a doubt is over half a minute after it began, again with other blocks and with a clock that was set back', () => {
  let now = 100_000;
  const patience = createPatience({ now: () => now });
  const at = (moment: number, fromBlock = 5n) => {
    now = moment;
    return patience.isOver(contract, fromBlock);
  };
  expect(at(100_000)).toBe(false);
  expect(at(129_999)).toBe(false);
  expect(at(130_000)).toBe(true);
  expect(at(130_000, 6n)).toBe(false);
  expect(at(160_000, 6n)).toBe(true);
  expect(at(50_000, 6n)).toBe(false);
  expect(at(79_999, 6n)).toBe(false);
  expect(at(80_000, 6n)).toBe(true);
  expect(patience.isOver(numberedAddress(0xc2), 6n)).toBe(false);
});
