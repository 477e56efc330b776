import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { createSignatureRecorder } from '../../core/ledger/holds/record-signatures.ts';
import {
  depositEvent,
  holdRequest,
  landedEvent,
  openLedger,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };

let ledger: Awaited<ReturnType<typeof openLedger>>;
let queue: HoldQueue;
beforeEach(async () => {
  ledger = await openLedger();
  queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
});
afterEach(() => ledger.close());

/** Two tanks have signed for the same nonce; an operation lands whose hash none of the signatures has. */
async function landUnknown(holds: readonly [first: bigint, second: bigint], cost: bigint) {
  await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
  for (const [index, amount] of holds.entries()) await queue.hold(holdRequest({ tank: tankOf(index + 1), amount }));
  await post(ledger.store, [landedEvent(0xa1, 0n, cost)]);
  return Promise.all([readTank(ledger.store, tankOf(1)), readTank(ledger.store, tankOf(2))]);
}

test('a landed operation of unknown hash is charged to the newest hold of its nonce', async () => {
  expect(await landUnknown([60n, 60n], 25n)).toEqual([
    { funded: 100n, settled: 0n, held: 0n },
    { funded: 100n, settled: 25n, held: 0n },
  ]);
});

test('a tank is not charged for an operation that costs more than it has set aside for the nonce', async () => {
  expect(await landUnknown([60n, 10n], 25n)).toEqual([
    { funded: 100n, settled: 25n, held: 0n },
    { funded: 100n, settled: 0n, held: 0n },
  ]);
});

test('a landed operation of known hash is charged to the hold it was signed for, whichever is newer', async () => {
  const { store } = ledger;
  const recorder = createSignatureRecorder(store, { now: () => 1_000 }, silentLogger);
  await post(store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
  const first = await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n }));
  const second = await queue.hold(holdRequest({ tank: tankOf(2), amount: 60n }));
  if (first.kind !== 'held' || second.kind !== 'held') throw new Error('They were not held.');
  const landed = landedEvent(0xa1, 0n, 25n);
  const { userOperationHash } = landed;
  recorder.record({ userOperationHash, holdId: first.holdId, atRisk: false });
  recorder.record({ userOperationHash: `0x${'5'.repeat(64)}`, holdId: second.holdId, atRisk: false });
  await recorder.close();
  await post(store, [landed]);
  expect(await Promise.all([readTank(store, tankOf(1)), readTank(store, tankOf(2))])).toEqual([
    { funded: 100n, settled: 25n, held: 0n },
    { funded: 100n, settled: 0n, held: 0n },
  ]);
});
