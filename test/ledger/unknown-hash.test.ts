import { keccak256, toHex } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkContractLedger } from '../../core/ledger/checking/check-ledger.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { createSignatureRecorder } from '../../core/ledger/holds/record-signatures.ts';
import {
  chainId,
  chargedEvent,
  contract,
  depositEvent,
  holdRequest,
  landedEvent,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const termsOfFirst = keccak256(toHex('first'));
const termsOfSecond = keccak256(toHex('second'));
const otherTerms = keccak256(toHex('other'));
const untouched = { funded: 100n, settled: 0n, held: 0n };

const ledger = useLedger();
let queue: HoldQueue;
beforeEach(async () => {
  queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
});

/** Two tanks of 100 wei each hold this much for one nonce, each for terms of its own. */
async function holdInTwoTanks([first, second]: readonly [bigint, bigint]) {
  await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
  return [
    await queue.hold({ ...holdRequest({ tank: tankOf(1), amount: first }), carriedName: termsOfFirst }),
    await queue.hold({ ...holdRequest({ tank: tankOf(2), amount: second }), carriedName: termsOfSecond }),
  ].map((outcome) => {
    if (outcome.kind !== 'held') throw new Error('It was not held.');
    return outcome.holdId;
  });
}

function readTanks() {
  return Promise.all([readTank(ledger.store, tankOf(1)), readTank(ledger.store, tankOf(2))]);
}

describe('an operation whose hash no signature has', () => {
  test.each([
    ['the first', termsOfFirst, [{ ...untouched, settled: 25n }, untouched]],
    ['the second', termsOfSecond, [untouched, { ...untouched, settled: 25n }]],
  ])('is charged to %s of two tanks when it carries the terms of that one', async (_, terms, tanks) => {
    await holdInTwoTanks([60n, 60n]);
    const carriedNames = [otherTerms, terms];
    await post(ledger.store, [{ ...landedEvent(0xa1, 0n, 25n), carriedNames }]);
    expect(await readTanks()).toEqual(tanks);
  });

  test('is charged to no tank when two have signed for its nonce and its transaction does not show its terms', async () => {
    await holdInTwoTanks([60n, 60n]);
    const landed = landedEvent(0xa1, 0n, 25n);
    expect(await post(ledger.store, [landed])).toEqual([landed]);
    expect(await readTanks()).toEqual([untouched, untouched]);
    const checked = await ledger.store.read((snapshot) =>
      checkContractLedger(snapshot, { chainId, contract, keepsBalances: false }),
    );
    expect(checked).toMatchObject({ bookDeposit: 175n, unexplainedCosts: 25n, settled: 0n, faults: [] });
  });

  test('is charged to no tank when it carries terms that none has signed, although one alone holds for its nonce', async () => {
    await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
    await queue.hold({ ...holdRequest({ tank: tankOf(1), amount: 60n }), carriedName: termsOfFirst });
    await post(ledger.store, [{ ...landedEvent(0xa1, 0n, 25n), carriedNames: [otherTerms] }]);
    expect(await readTanks()).toEqual([untouched, untouched]);
  });

  test('is charged to the one tank that holds for its nonce when its transaction does not show its terms', async () => {
    await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n }));
    await post(ledger.store, [landedEvent(0xa1, 0n, 25n)]);
    expect(await readTanks()).toEqual([{ ...untouched, settled: 25n }, untouched]);
  });

  test('is charged to the customer that the contract has charged, whatever terms it carries', async () => {
    await holdInTwoTanks([60n, 60n]);
    const landed = { ...landedEvent(0xa1, 0n, 25n), carriedNames: [otherTerms] };
    await post(ledger.store, [chargedEvent(landed, 1, 30n)]);
    const holds = await ledger.store.db.selectFrom('holds').select('state').orderBy('hold_id').execute();
    expect(holds).toEqual([{ state: 'settled' }, { state: 'released' }]);
    expect(await readTanks()).toEqual([{ ...untouched, settled: 30n }, untouched]);
  });
});

test('a landed operation of known hash is charged to the hold it was signed for, whichever is newer', async () => {
  const { store } = ledger;
  const recorder = createSignatureRecorder(store, { now: () => 1_000 }, silentLogger);
  const [first = 0, second = 0] = await holdInTwoTanks([60n, 60n]);
  const landed = landedEvent(0xa1, 0n, 25n);
  const { userOperationHash } = landed;
  recorder.record({ paymasterId: 'first', userOperationHash, holdId: first, atRisk: false });
  recorder.record({ paymasterId: 'second', userOperationHash: `0x${'5'.repeat(64)}`, holdId: second, atRisk: false });
  await recorder.close();
  await post(store, [landed]);
  expect(await readTanks()).toEqual([{ ...untouched, settled: 25n }, untouched]);
});
