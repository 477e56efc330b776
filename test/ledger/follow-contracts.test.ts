import { type Address, type Hex, RpcRequestError, toHex } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { followContracts } from '../../core/ledger/following/follow-contracts.ts';
import { createPatience, type Following } from '../../core/ledger/following/following.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { createQuestionWidth } from '../../core/node/event-range.ts';
import { chainId, entryPoint, numberedAddress, openLedger } from '../support/core/ledger-lab.ts';

const addresses = [1, 2, 3].map((number) => numberedAddress(0xc0 + number));
const [first, second, third] = addresses as [Address, Address, Address];
const hashOf = (block: bigint): Hex => toHex(block + 0xa0n, { size: 32 });

let ledger: Awaited<ReturnType<typeof openLedger>>;
/** What each contract has deposited as the node says, of which there are no events; and at which blocks it was asked. */
let deposits: Map<Address, bigint>;
let asked: (readonly [bigint, Address])[];
let isAway: boolean;

beforeEach(async () => {
  [deposits, asked, isAway] = [new Map(), [], false];
  ledger = await openLedger();
  await ensureContractTotals(
    ledger.store,
    addresses.map((address) => ({ chainId, address })),
  );
});
afterEach(() => ledger.close());

const away = new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message: 'overloaded' } });

/** A node that answers one block at a time. */
function node(): ChainClient {
  const getBlock = async ({ blockNumber: number }: { blockNumber: bigint }) => {
    if (isAway) throw away;
    return { number, hash: hashOf(number), timestamp: 1n };
  };
  const call = async ({ data, blockNumber }: { data: Hex; blockNumber: bigint }) => {
    const contract = addresses.find((address) => data.endsWith(address.slice(2).toLowerCase())) ?? first;
    asked.push([blockNumber, contract]);
    return { data: toHex(deposits.get(contract) ?? 0n, { size: 32 }) };
  };
  return { getBlock, call, getLogs: async () => [] } as unknown as ChainClient;
}

function follow(confirmed: bigint, over: Partial<Following> = {}) {
  const clock = { now: () => 2_000 };
  const width = createQuestionWidth();
  while (width.shrink());
  const options = {
    chainId,
    startBlock: 0n,
    confirmed,
    nodes: [node()],
    patience: createPatience(clock),
    clock,
    store: ledger.store,
    watched: { entryPoint, contracts: addresses.map((address) => ({ address })) },
    width: { ...width, grow() {} },
    isClosed: () => false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
  return followContracts({ ...options, ...over });
}

async function standAt(next: ReadonlyMap<Address, bigint>): Promise<void> {
  for (const [contract, block] of next) {
    const values = { chain_id: chainId, contract, next_block: Number(block), last_hash: hashOf(block - 1n) };
    await ledger.store.db.insertInto('contract_watches').values(values).execute();
  }
}

async function positions(): Promise<ReadonlyMap<string, number>> {
  const rows = await ledger.store.db.selectFrom('contract_watches').select(['contract', 'next_block']).execute();
  return new Map(rows.map(({ contract, next_block }) => [contract, next_block]));
}

describe('contracts are followed', () => {
  test('to the last confirmed block, together where they stand at the same one', async () => {
    expect(await follow(3n)).toEqual(new Map());
    expect(await positions()).toEqual(new Map(addresses.map((address) => [address, 4])));
    // Block by block, all of them in each.
    expect(asked).toEqual([0n, 1n, 2n, 3n].flatMap((block) => addresses.map((address) => [block, address])));
  });

  test('to the end where they lead, and so far at once where they are behind', async () => {
    await standAt(
      new Map([
        [first, 2n],
        [second, 100n],
        [third, 2n],
      ]),
    );
    const behind = await follow(130n);
    expect(await positions()).toEqual(
      new Map([
        [first, 22],
        [second, 131],
        [third, 22],
      ]),
    );
    const why = { kind: 'reading', text: 'the ledger is catching up with the chain' };
    expect(behind).toEqual(
      new Map([
        [first, why],
        [third, why],
      ]),
    );
    // Those that lead are not kept waiting by the others.
    expect(asked[0]).toEqual([100n, second]);
    for (let looks = 0; looks < 6; looks += 1) await follow(130n);
    expect(await follow(130n)).toEqual(new Map());
  });

  test('those that lead before the others, wherever they stand in the configuration', async () => {
    for (const leading of addresses) {
      asked.length = 0;
      await ledger.store.db.deleteFrom('contract_watches').execute();
      await standAt(new Map(addresses.map((address) => [address, address === leading ? 9n : 2n])));
      await follow(9n);
      expect(asked[0]).toEqual([9n, leading]);
    }
  });

  test('though one of them differs, which is told of alone', async () => {
    deposits.set(second, 7n);
    const behind = await follow(1n);
    expect([...behind.keys()]).toEqual([second]);
    expect(behind.get(second)).toMatchObject({ kind: 'differs', text: expect.stringContaining('is 7 wei') });
    expect(await positions()).toEqual(
      new Map([
        [first, 2],
        [third, 2],
      ]),
    );
  });
});

describe('contracts are not followed', () => {
  test('while no node answers, and each says so', async () => {
    isAway = true;
    const behind = await follow(1n);
    expect([...behind.keys()]).toEqual(addresses);
    expect(behind.get(first)).toMatchObject({ kind: 'node', cause: away });
    expect(await positions()).toEqual(new Map());
  });

  test('once the watch is closed, which is no fault of theirs', async () => {
    let turns = 0;
    const isClosed = () => {
      turns += 1;
      return turns > 2;
    };
    const behind = await follow(9n, { isClosed });
    expect([...(await positions()).values()]).toEqual([1, 1, 1]);
    expect(behind.get(first)?.kind).toBe('reading');
  });

  test('while the store cannot be read', async () => {
    const db = {
      selectFrom: () => {
        throw new Error('the disk is gone');
      },
    };
    const behind = await follow(1n, { store: { ...ledger.store, db } as unknown as Following['store'] });
    expect([...behind.keys()]).toEqual(addresses);
    expect(behind.get(third)).toMatchObject({ kind: 'refused', cause: { message: 'the disk is gone' } });
  });
});
