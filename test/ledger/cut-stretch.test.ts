import { BaseError, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { cutStretch } from '../../core/ledger/following/cut-stretch.ts';
import { takeStretch } from '../../core/ledger/following/take-stretch.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { UserOperationLanded } from '../../core/node/chain-event.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  landedEvent,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const ledger = useLedger();
const hashOf = (block: bigint): Hex => `0x${block.toString(16).padStart(64, '0')}`;
const firstBlock = 1_000n;

/** A node whose last block may not be the one that the stretch ends with any more. */
function nodeWith(lastBlock: bigint, lastHash = hashOf(lastBlock)): ChainClient {
  const getBlock = async ({ blockNumber }: { blockNumber: bigint }) => ({
    hash: blockNumber === lastBlock ? lastHash : hashOf(blockNumber),
  });
  return { getBlock } as unknown as ChainClient;
}

/** Operations of one sender, some in each block. */
function landings(blocks: number, inEach: number): readonly UserOperationLanded[] {
  return Array.from({ length: blocks * inEach }, (_, index) => ({
    ...landedEvent(0xa1, BigInt(index), 20n),
    blockNumber: firstBlock + BigInt(Math.floor(index / inEach)),
  }));
}

function stretchOf(events: readonly UserOperationLanded[], watchBefore: bigint) {
  const end = events.at(-1)?.blockNumber ?? 0n;
  return { chainId, contract, events, watchBefore, nextBlock: end + 1n, lastHash: hashOf(end) };
}

test('a stretch with many operations is posted in pieces that end with a block, and comes to the same', async () => {
  const parts = { store: ledger.store, clock: { now: () => 5_000 }, logger: silentLogger };
  const deposit = { ...depositEvent(1, 1_000_000n), blockNumber: firstBlock - 1n };
  const opening = {
    chainId,
    contract,
    events: [deposit],
    watchBefore: undefined,
    nextBlock: firstBlock,
    lastHash: hashOf(1n),
  };
  expect(await takeStretch(parts, [opening], 1)).toBe(true);
  const queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
  const events = landings(5, 70);
  await Promise.all(events.map(({ nonce }) => queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, nonce }))));
  const pieces = await cutStretch(nodeWith(firstBlock + 4n), stretchOf(events, firstBlock));
  expect(pieces.map((piece) => [piece.watchBefore, piece.events.length, piece.nextBlock])).toEqual([
    [1_000n, 70, 1_001n],
    [1_001n, 70, 1_002n],
    [1_002n, 70, 1_003n],
    [1_003n, 70, 1_004n],
    [1_004n, 70, 1_005n],
  ]);
  expect(await takeStretch(parts, pieces, 1)).toBe(true);
  expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 1_000_000n, settled: 350n * 20n, held: 0n });
  const watch = await ledger.store.db.selectFrom('contract_watches').selectAll().executeTakeFirstOrThrow();
  expect([watch.next_block, watch.last_hash]).toEqual([1_005, hashOf(1_004n)]);
});

test('it stays whole where few operations landed or all in one block', async () => {
  for (const events of [landings(4, 10), landings(1, 300)]) {
    const stretch = stretchOf(events, firstBlock);
    expect(await cutStretch(nodeWith(stretch.nextBlock - 1n), stretch)).toEqual([stretch]);
  }
});

test('it is read again when its last block has left the chain', async () => {
  const node = nodeWith(firstBlock + 4n, hashOf(99n));
  await expect(cutStretch(node, stretchOf(landings(5, 70), firstBlock))).rejects.toThrow(BaseError);
});
