import { BlockNotFoundError, type Hex, RpcRequestError, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { createPatience, type Following } from '../../core/ledger/following/following.ts';
import { revertToChain } from '../../core/ledger/following/revert-to-chain.ts';
import { findOpening, takeFromNodes } from '../../core/ledger/following/take-from-nodes.ts';
import { findPosition } from '../../core/ledger/following/watch-position.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { blocksToRevert, ensureContractTotals, passBlock, WatchMoved } from '../../core/ledger/posting/pass-block.ts';
import { postEvents } from '../../core/ledger/posting/post-events.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { createQuestionWidth } from '../../core/node/event-range.ts';
import { readStretch } from '../../core/node/read-stretch.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  contract,
  depositEvent,
  entryPoint,
  holdRequest,
  numberedAddress,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { createRecordingLogger, silentLogger } from '../support/logging/recording-logger.ts';

const watched = { entryPoint, contracts: [{ address: contract }] };

const ledger = useLedger();

/** A node without events; hashes of its blocks and what the contract has deposited are as it is told. */
function nodeOf(reported: {
  readonly hash: Hex | ((number: bigint) => Hex);
  readonly deposit: bigint | Error;
  readonly timestamp?: bigint;
}): ChainClient {
  const { hash, timestamp = 1n } = reported;
  const getBlock = async ({ blockNumber: number }: { blockNumber: bigint }) => ({
    number,
    hash: typeof hash === 'string' ? hash : hash(number),
    timestamp,
  });
  const call = async () => {
    if (reported.deposit instanceof Error) throw reported.deposit;
    return { data: toHex(reported.deposit, { size: 32 }) };
  };
  return { getBlock, call, getLogs: async () => [] } as unknown as ChainClient;
}

function following(startBlock: bigint, confirmed: bigint, nodes: readonly ChainClient[]): Following {
  const clock = { now: () => 2_000 };
  const parts = { chainId, watched, width: createQuestionWidth(), isClosed: () => false, logger: silentLogger };
  return { ...parts, nodes, confirmed, startBlock, store: ledger.store, clock, patience: createPatience(clock) };
}

const stateIsGone = new RpcRequestError({
  body: {},
  url: 'http://node',
  error: { code: -32_000, message: 'missing trie node 1f2e' },
});

const bookDeposit = async () => {
  const asked = { chainId, contract, keepsBalances: false };
  return (await ledger.store.transaction((transaction) => checkContractLedger(transaction, asked))).bookDeposit;
};

describe('a ledger whose last block a node does not have', () => {
  async function lookWith(...others: readonly ChainClient[]) {
    const deposit = depositEvent(1, 100n);
    await post(ledger.store, [deposit]);
    await passBlock(ledger.store, { chainId, contracts: [contract] }, { number: deposit.blockNumber, hash: '0x' });
    const forked = nodeOf({ hash: '0xf0', deposit: 0n });
    const options = following(deposit.blockNumber, deposit.blockNumber + 1n, [forked, ...others]);
    const taken = await takeFromNodes(options, [
      await findPosition(options, watched.contracts[0] ?? { address: contract }),
    ]);
    return { wentBack: taken.wentBack, behind: taken.behind.get(contract)?.kind };
  }

  test('stay as they are while another node has it that takes them on', async () => {
    expect(await lookWith(nodeOf({ hash: '0x', deposit: 100n }))).toEqual({ wentBack: false, behind: undefined });
    expect(await bookDeposit()).toBe(100n);
  });

  test('is rolled back when another node has the block and contradicts itself: that node may be on a chain that is gone', async () => {
    expect(await lookWith(nodeOf({ hash: '0x', deposit: 93n }))).toEqual({ wentBack: true, behind: undefined });
    expect(await bookDeposit()).toBe(0n);
  });

  test('is rolled back when no node has it', async () => {
    expect(await lookWith(nodeOf({ hash: '0xf1', deposit: 0n }))).toEqual({ wentBack: true, behind: undefined });
    expect(await bookDeposit()).toBe(0n);
  });

  test('is rolled back by one node though another one that says the same fails after it', async () => {
    const sound = nodeOf({ hash: '0xf1', deposit: 0n });
    let answers = 1;
    const getBlock: typeof sound.getBlock = async (asked) => {
      answers -= 1;
      if (answers < 0)
        throw new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message: '' } });
      return sound.getBlock(asked);
    };
    expect(await lookWith({ ...sound, getBlock })).toEqual({ wentBack: true, behind: undefined });
  });
});

describe('a ledger that follows', () => {
  const position = { contract: { address: contract }, next: 5n, lastHash: '0x', watch: undefined } as const;
  const sound = nodeOf({ hash: '0x', deposit: 0n });
  const take = async (nodes: readonly ChainClient[]) => {
    const { positions, behind } = await takeFromNodes(following(5n, 5n, nodes), [position]);
    const passed = await ledger.store.db.selectFrom('passed_blocks').selectAll().execute();
    return { positions, behind, passed };
  };

  test('takes blocks from the first node that agrees, once, and has a block to roll back to', async () => {
    let asked = 0;
    const getLogs = async () => {
      asked += 1;
      return [];
    };
    const { positions, behind, passed } = await take([sound, { ...sound, getLogs } as unknown as ChainClient]);
    expect(positions).toEqual([{ ...position, next: 6n, watch: 6n }]);
    expect(behind).toEqual(new Map());
    expect(passed).toEqual([{ chain_id: chainId, contract, block_number: 5, hash: '0x' }]);
    expect(asked).toBe(0);
  });

  test('are taken from another node where the first one differs', async () => {
    const { positions, behind, passed } = await take([nodeOf({ hash: '0x', deposit: 93n }), sound]);
    expect(positions).toHaveLength(1);
    expect(behind).toEqual(new Map());
    expect(passed).toHaveLength(1);
  });

  test('has no block to roll back to that was not taken', async () => {
    const { positions, passed } = await take([nodeOf({ hash: '0x', deposit: 93n })]);
    expect({ positions, passed }).toEqual({ positions: [], passed: [] });
  });
});

test('a ledger that follows releases what expired before the time of its last block, at its own contract', async () => {
  const other = numberedAddress(0xc2);
  await ensureContractTotals(ledger.store, [{ chainId, address: other }]);
  const elsewhere = { ...tankOf(1), contract: other };
  await post(ledger.store, [depositEvent(1, 100n)]);
  await ledger.store.transaction((transaction) =>
    postEvents(
      transaction,
      {
        chainId,
        contract: other,
        watchBefore: undefined,
        nextBlock: 1n,
        lastHash: '0x',
        events: [{ ...depositEvent(1, 100n), contract: other }],
      },
      1,
    ),
  );
  const requests = [
    holdRequest({ tank: tankOf(1), amount: 30n, nonce: 1n, validUntil: 1_000 }),
    holdRequest({ tank: tankOf(1), amount: 20n, nonce: 2n, validUntil: 1_001 }),
    holdRequest({ tank: elsewhere, amount: 10n, nonce: 3n, validUntil: 1_000 }),
  ];
  await ledger.store.transaction((transaction) => holdBatch(transaction, requests, 1));
  const position = await findPosition({ chainId, watched, startBlock: 0n, store: ledger.store }, { address: contract });
  const node = nodeOf({ hash: '0x', deposit: 100n, timestamp: 1_001n });
  const { behind } = await takeFromNodes(following(0n, position.next, [node]), [position]);
  expect(behind).toEqual(new Map());
  const holds = await ledger.store.db
    .selectFrom('holds')
    .select(['state', 'released_because'])
    .orderBy('hold_id')
    .execute();
  expect(holds).toEqual([
    { state: 'released', released_because: 'expired' },
    { state: 'live', released_because: null },
    { state: 'live', released_because: null },
  ]);
  expect(await readTank(ledger.store, tankOf(1))).toMatchObject({ held: 20n });
});

describe('a ledger that does not follow', () => {
  const away = (message: string) => {
    const error = new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message } });
    return { getBlock: () => Promise.reject(error) } as unknown as ChainClient;
  };

  /** Looks at one new block, with an empty journal that ends at a block with the hash 0x. */
  async function look(nodes: readonly ChainClient[], store = ledger.store) {
    const options = { ...following(5n, 5n, nodes), store };
    const position = { contract: { address: contract }, next: 5n, lastHash: '0x', watch: 5n } as const;
    const { positions, behind, wentBack } = await takeFromNodes(options, [position]);
    return { moved: positions.length, wentBack, why: behind.get(contract) };
  }

  test('are behind the first node that did not answer, while others do not either', async () => {
    const { why, moved } = await look([away('first'), away('second')]);
    expect(moved).toBe(0);
    expect(why).toMatchObject({ kind: 'node', text: 'the chain could not be read', cause: { details: 'first' } });
  });

  test('differ when a node tells something else, though others fail before or after it', async () => {
    const lying = nodeOf({ hash: '0x', deposit: 93n });
    const { why, wentBack } = await look([lying, away('second')]);
    expect({ kind: why?.kind, wentBack }).toEqual({ kind: 'differs', wentBack: false });
    expect(why?.text).toContain('at block 5 its deposit is 93 wei but the events add up to 0 wei');
    expect((await look([away('first'), lying])).why?.kind).toBe('differs');
  });

  test('is rolled back by a node that lacks its last block, though another one is away or cannot be followed', async () => {
    const forked = nodeOf({ hash: '0xf0', deposit: 0n });
    const leftBehind = nodeOf({ hash: '0x', deposit: 93n });
    await post(ledger.store, []);
    for (const nodes of [
      [forked, away('second')],
      [away('first'), forked],
      [leftBehind, forked],
      [forked, leftBehind],
    ]) {
      await ledger.store.db.updateTable('contract_watches').set({ next_block: 5 }).execute();
      expect(await look(nodes)).toMatchObject({ wentBack: true, moved: 1, why: undefined });
    }
  });

  test('waits for the node when it fails during a rollback', async () => {
    let answers = 1;
    const forked = nodeOf({ hash: '0xf0', deposit: 0n });
    const failing = away('later');
    const getBlock = (asked: never) => {
      answers -= 1;
      return answers < 0 ? failing.getBlock(asked) : forked.getBlock(asked);
    };
    await passBlock(ledger.store, { chainId, contracts: [contract] }, { number: 4n, hash: '0x' });
    const { why, wentBack } = await look([{ ...forked, getBlock } as ChainClient]);
    expect(wentBack).toBe(false);
    expect(why).toMatchObject({ kind: 'node', text: 'the chain could not be read', cause: { details: 'later' } });
  });

  test('are refused by the store, not by a node, when that cannot write', async () => {
    const transaction = () => Promise.reject(new Error('the disk is full'));
    const sound = nodeOf({ hash: '0x', deposit: 0n });
    const { why, moved } = await look([sound, sound], { ...ledger.store, transaction });
    expect(moved).toBe(0);
    expect(why).toMatchObject({ kind: 'refused', cause: { message: 'the disk is full' } });
    expect(why?.text).toContain('The log has the cause');
  });
});

describe('a ledger after a reorg', () => {
  /** The chain before it, and after it from this block on. */
  const hashBefore = (block: bigint): Hex => `0x${block.toString(16)}`;
  const hashAfter = (fork: bigint) => (block: bigint) => (block < fork ? hashBefore(block) : '0xf0');

  async function depositInThreeBlocks() {
    const deposits = [depositEvent(1, 1n), depositEvent(1, 20n), depositEvent(1, 300n)];
    await post(ledger.store, deposits);
    const blocks = deposits.map(({ blockNumber }) => blockNumber);
    for (const number of blocks) {
      await passBlock(ledger.store, { chainId, contracts: [contract] }, { number, hash: hashBefore(number) });
    }
    return blocks as [bigint, bigint, bigint];
  }

  async function goBackTo(fork: bigint, newest: bigint, node = nodeOf({ hash: hashAfter(fork), deposit: 0n })) {
    const { logger, lines } = createRecordingLogger();
    const options = { ...following(0n, newest, []), logger };
    const position = await findPosition(options, { address: contract });
    const reached = await revertToChain(options, node, position);
    return { reached, logged: lines.map(({ fields }) => fields) };
  }

  test('is rolled back where the chain is shorter now', async () => {
    const [first, , third] = await depositInThreeBlocks();
    const node = nodeOf({ hash: hashBefore, deposit: 0n });
    const getBlock = ((asked: { readonly blockNumber: bigint }) => {
      if (asked.blockNumber > first) throw new BlockNotFoundError({ blockNumber: asked.blockNumber });
      return node.getBlock(asked);
    }) as ChainClient['getBlock'];
    expect((await goBackTo(0n, third, { ...node, getBlock })).reached).toMatchObject({ next: first + 1n });
    expect(await bookDeposit()).toBe(1n);
  });

  test.each([
    [0, 1n],
    [1, 21n],
    [2, 321n],
  ])('is rolled back to the newest of its blocks that is still on the chain: its %ith', async (index, deposit) => {
    const blocks = await depositInThreeBlocks();
    const last = blocks[index] ?? 0n;
    const { reached, logged } = await goBackTo(last + 1n, blocks[2]);
    expect(reached).toMatchObject({ next: last + 1n, watch: last + 1n, lastHash: hashBefore(last) });
    expect(await bookDeposit()).toBe(deposit);
    const [fromBlock, toBlock] = [Number(blocks[2]), Number(last)];
    expect(logged).toEqual([{ chainId, contract, fromBlock, toBlock, entries: 2 - index }]);
  });

  test('stays as it is when what would be rolled back is archived', async () => {
    const [first, second, third] = await depositInThreeBlocks();
    await ledger.store.db
      .updateTable('contract_watches')
      .set({ archived_block: Number(second) })
      .execute();
    expect((await goBackTo(first + 1n, third)).reached).toMatchObject({ kind: 'off-chain' });
    expect(await bookDeposit()).toBe(321n);
    expect((await goBackTo(second + 1n, third)).reached).toMatchObject({ next: second + 1n });
  });
});

describe('a ledger none of whose blocks is on the chain any more', () => {
  async function revertFrom(startBlock: bigint, next: bigint) {
    const options = following(startBlock, next, []);
    const position = { contract: { address: contract }, next, lastHash: undefined, watch: next };
    return revertToChain(options, nodeOf({ hash: '0xf0', deposit: 0n }), position);
  }

  test('begin again with the first block, and have what was deposited before it no more', async () => {
    const opening = depositEvent(1, 1_000n);
    await post(ledger.store, [opening]);
    const position = await revertFrom(opening.blockNumber + 1n, opening.blockNumber + 1n);
    expect(position).toMatchObject({ next: opening.blockNumber + 1n, watch: opening.blockNumber + 1n });
    expect('lastHash' in position ? position.lastHash : 'behind').toBeUndefined();
    expect(await bookDeposit()).toBe(0n);
  });

  test('stay for the operator to decide when more is in them than is kept of passed blocks', async () => {
    await post(ledger.store, [depositEvent(1, 1_000n)]);
    const next = blocksToRevert + 2n;
    await ledger.store.db
      .updateTable('contract_watches')
      .set({ next_block: Number(next) })
      .execute();
    expect(await revertFrom(1n, next)).toMatchObject({ kind: 'off-chain' });
    expect(await bookDeposit()).toBe(1_000n);
    expect(await revertFrom(2n, next)).toMatchObject({ next: 2n });
  });
});

describe('what was deposited before the first block', () => {
  const position = { contract: { address: contract }, next: 10n, lastHash: undefined, watch: undefined };
  const end = { number: 12n, hash: '0x', timestamp: 1n } as const;
  const deposits = new Map([[contract, 100n]]);
  const read = () => ({ fromBlock: 10n, events: [depositEvent(1, 30n)], end, deposits });

  test('is what the chain says, or what the events leave unexplained where its state is gone', async () => {
    const find = (deposit: bigint | Error) =>
      findOpening({ watched, startBlock: 10n }, { node: nodeOf({ hash: '0x', deposit }), position, read: read() });
    expect(await find(40n)).toMatchObject([{ kind: 'deposit', contract, rise: 40n, blockNumber: 9n }]);
    expect(await find(stateIsGone)).toMatchObject([{ rise: 70n, blockNumber: 9n }]);
    expect(await find(0n)).toEqual([]);
  });

  test('is nothing before the first block of all, and nothing new for a ledger that has begun', async () => {
    const node = nodeOf({ hash: '0x', deposit: 40n });
    expect(await findOpening({ watched, startBlock: 0n }, { node, position, read: read() })).toEqual([]);
    const begun = { node, position: { ...position, lastHash: '0x' as const }, read: read() };
    expect(await findOpening({ watched, startBlock: 10n }, begun)).toEqual([]);
  });
});

describe('a stretch', () => {
  /** Asks a node for the blocks from 5 on, one at first. `oldest` is the first block whose state it has. */
  async function read(oldest: bigint, over: { readonly confirmed?: bigint; readonly lastHash?: Hex } = {}) {
    const width = createQuestionWidth();
    while (width.shrink());
    const node = nodeOf({ hash: '0xaa', deposit: 9n });
    const call = (asked: { readonly blockNumber: bigint }) =>
      asked.blockNumber < oldest ? Promise.reject(stateIsGone) : node.call(asked as never);
    const asked = { watched, fromBlock: 5n, lastHash: over.lastHash, confirmed: over.confirmed ?? 20n, width };
    const found = await readStretch({ ...node, call } as ChainClient, { ...asked, isClosed: () => false });
    return { found, blocks: width.blocks() };
  }

  test('goes on to the first block whose state the node has, in wider and wider questions', async () => {
    const { found, blocks } = await read(7n);
    expect(found).toMatchObject({
      fromBlock: 5n,
      events: [],
      end: { number: 7n },
      deposits: new Map([[contract, 9n]]),
    });
    expect(blocks).toBe(4n);
  });

  test('is worth nothing from a node that has the state of none of its blocks', async () => {
    await expect(read(21n)).rejects.toThrow('no longer has the state of block 20');
  });

  test('follows the last block of the ledger, or does not begin', async () => {
    expect((await read(0n, { lastHash: '0xaa' })).found).toMatchObject({ end: { number: 5n } });
    await expect(read(0n, { lastHash: '0xbb' })).rejects.toThrow('Block 4, which is in the ledger');
    expect((await read(0n, { lastHash: '0xaa', confirmed: 4n })).found).toBe('nothing');
    const late = { getBlock: () => Promise.reject(new BlockNotFoundError({ blockNumber: 4n })) };
    const asked = { watched, fromBlock: 5n, lastHash: '0xaa', confirmed: 4n, isClosed: () => false } as const;
    const waits = readStretch(late as unknown as ChainClient, { ...asked, width: createQuestionWidth() });
    // The node may only not have it yet.
    expect(await waits).toBe('nothing');
  });

  describe('while the chain is reorganised', () => {
    /** A node whose blocks are others after each of its first answers about events. */
    function moving(moves: number): ChainClient {
      let moved = 0;
      const node = nodeOf({ hash: '0x', deposit: 9n });
      return {
        ...node,
        getBlock: async (asked: never) => ({ ...(await node.getBlock(asked)), hash: `0xb${moved}` }),
        getLogs: async () => {
          moved = Math.min(moved + 1, moves);
          return [];
        },
      } as unknown as ChainClient;
    }
    const readFrom = (node: ChainClient, lastHash?: Hex) =>
      readStretch(node, { ...following(5n, 5n, []), fromBlock: 5n, lastHash });

    test('is read again, and is of one chain', async () => {
      expect(await readFrom(moving(1))).toMatchObject({ end: { number: 5n, hash: '0xb1' } });
    });

    test('is not begun again when the last block of the ledger went with it', async () => {
      await expect(readFrom(moving(1), '0xb0')).rejects.toThrow('Block 4, which is in the ledger');
    });

    test('is given up when that has no end', async () => {
      await expect(readFrom(moving(Number.POSITIVE_INFINITY))).rejects.toThrow('during every read attempt');
    });
  });

  test('is given up when the watch closes meanwhile', async () => {
    const asked = { watched, fromBlock: 5n, lastHash: undefined, confirmed: 9n, width: createQuestionWidth() };
    const read = readStretch(nodeOf({ hash: '0xaa', deposit: 9n }), { ...asked, isClosed: () => true });
    await expect(read).rejects.toThrow('Reading has stopped');
  });

  test('without new blocks is the answer, whatever becomes of the other nodes', async () => {
    const away = { getBlock: () => Promise.reject(stateIsGone) } as unknown as ChainClient;
    const options = following(5n, 4n, [nodeOf({ hash: '0xaa', deposit: 9n }), away]);
    const position = { contract: { address: contract }, next: 5n, lastHash: '0xaa', watch: 5n } as const;
    expect(await takeFromNodes(options, [position])).toEqual({ positions: [], behind: new Map(), wentBack: false });
  });
});

describe('a stretch that another process has taken meanwhile', () => {
  const stretch = { chainId, contract, nextBlock: 9n, lastHash: '0xaa' } as const;
  const take = (watchBefore: bigint | undefined, events = [depositEvent(1, 100n)]) =>
    ledger.store.transaction((transaction) => postEvents(transaction, { ...stretch, watchBefore, events }, 1));

  test('is not taken again, be it the first of the ledger or a later one', async () => {
    await take(undefined);
    await expect(take(undefined)).rejects.toThrow(WatchMoved);
    await expect(take(8n)).rejects.toThrow(WatchMoved);
    expect(await bookDeposit()).toBe(100n);
    await take(9n);
    expect(await bookDeposit()).toBe(200n);
  });

  test('leaves the ledger where that process has it', async () => {
    await take(undefined, []);
    const node = nodeOf({ hash: '0xaa', deposit: 0n });
    const options = following(5n, 6n, [node]);
    const begins = { contract: { address: contract }, next: 5n, lastHash: undefined, watch: undefined };
    const { positions, behind } = await takeFromNodes(options, [begins]);
    expect(positions).toMatchObject([{ next: 9n, lastHash: '0xaa', watch: 9n }]);
    expect(behind).toEqual(new Map());
  });
});

describe('the blocks asked for at once', () => {
  test('are halved down to one, and double again up to where they began', () => {
    const width = createQuestionWidth();
    const widest = width.blocks();
    expect(width.shrink()).toBe(true);
    expect(width.blocks()).toBe(widest / 2n);
    while (width.shrink());
    expect(width.blocks()).toBe(1n);
    width.grow();
    width.grow();
    expect(width.blocks()).toBe(4n);
    for (let times = 0; times < 20; times += 1) width.grow();
    expect(width.blocks()).toBe(widest);
  });
});
