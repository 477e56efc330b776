import { type Address, encodeFunctionData, keccak256, numberToHex, toHex } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import { beforeEach, describe, expect, test } from 'vitest';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { readBundled } from '../../core/evm/entry-point/read-bundle.ts';
import { contentIds } from '../../core/evm/paymaster-contracts/family/content-id.ts';
import { sampleOperation } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { nameUnknownOperations } from '../../core/ledger/following/take-stretch.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { createSignatureRecorder } from '../../core/ledger/operation-status/record-signatures.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { ChainEvent } from '../../core/node/chain-event.ts';
import { maxWaiting } from '../../core/store/write-behind.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  chargedEvent,
  contract,
  depositEvent,
  entryPoint,
  holdRequest,
  landedEvent,
  numberedAddress,
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
    await queue.hold(holdRequest({ tank: tankOf(1), amount: first, contentId: termsOfFirst })),
    await queue.hold(holdRequest({ tank: tankOf(2), amount: second, contentId: termsOfSecond })),
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
    const contentIds = [otherTerms, terms];
    await post(ledger.store, [{ ...landedEvent(0xa1, 0n, 25n), contentIds }]);
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
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, contentId: termsOfFirst }));
    await post(ledger.store, [{ ...landedEvent(0xa1, 0n, 25n), contentIds: [otherTerms] }]);
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
    const landed = { ...landedEvent(0xa1, 0n, 25n), contentIds: [otherTerms] };
    await post(ledger.store, [chargedEvent(landed, 1, 30n)]);
    const holds = await ledger.store.db.selectFrom('holds').select('state').orderBy('hold_id').execute();
    expect(holds).toEqual([{ state: 'settled' }, { state: 'released' }]);
    expect(await readTanks()).toEqual([{ ...untouched, settled: 30n }, untouched]);
  });
});

describe('the transaction of a landed operation', () => {
  const operation = { ...sampleOperation({ entryPointVersion: '0.8' }), sender: numberedAddress(0xa1), nonce: 0n };
  const input = encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [[packUserOperation(operation, `0x${'ab'.repeat(120)}`)], numberedAddress(0xb1)],
  });
  const landed = landedEvent(0xa1, 0n, 25n);

  /** What the events are after the names were read, and how many transactions were. */
  async function name(events: readonly ChainEvent[], to: Address | null = entryPoint) {
    let read = 0;
    const getTransaction = async () => {
      read += 1;
      return { to, input };
    };
    const node = { getTransaction } as unknown as ChainClient;
    return { named: await nameUnknownOperations(ledger.store, node, { entryPoint, events }), read };
  }

  test('is read for what it carries, once a hold may be its', async () => {
    expect(await name([landed])).toEqual({ named: [landed], read: 0 });
    await holdInTwoTanks([60n, 60n]);
    const bundled = readBundled(input, operation);
    const carried = bundled && contentIds(bundled);
    expect(carried).toHaveLength(5);
    expect(await name([landed])).toEqual({ named: [{ ...landed, contentIds: carried }], read: 1 });
  });

  test('says nothing of what it carries when it went to another contract or lacks the operation', async () => {
    await holdInTwoTanks([60n, 60n]);
    for (const to of [numberedAddress(0xe2), null]) {
      expect(await name([landed], to)).toEqual({ named: [landed], read: 1 });
    }
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 10n, nonce: 7n }));
    const other = landedEvent(0xa1, 7n, 25n);
    expect(await name([other])).toEqual({ named: [other], read: 1 });
  });

  test('is read for a relayed operation too, whose hash changes with the delegate of its account', async () => {
    await holdInTwoTanks([60n, 60n]);
    const { read } = await name([{ ...landed, relayed: true }]);
    expect(read).toBe(1);
  });

  test('is not read for a deposit, or an operation whose hash is that of a signature', async () => {
    const [first = 0] = await holdInTwoTanks([60n, 60n]);
    const others = [depositEvent(1, 5n)];
    expect(await name(others)).toEqual({ named: others, read: 0 });
    const signed = { user_operation_hash: landed.userOperationHash, hold_id: first, created_at: 1 };
    await ledger.store.db.insertInto('signatures').values(signed).execute();
    expect(await name([landed])).toEqual({ named: [landed], read: 0 });
  });
});

test('signatures that cannot be written for long are given up by the paymaster that has the most', async () => {
  const [first = 0, second = 0] = await holdInTwoTanks([60n, 60n]);
  let isFull = true;
  const transaction: typeof ledger.store.transaction = (work) =>
    isFull ? Promise.reject(new Error('the disk is full')) : ledger.store.transaction(work);
  const recorder = createSignatureRecorder({ ...ledger.store, transaction }, { now: () => 1_000 }, silentLogger);
  const hashOf = (number: number) => numberToHex(number, { size: 32 });
  recorder.record({ paymasterId: 'quiet', userOperationHash: hashOf(0), holdId: first, atRisk: false });
  for (let number = 1; number <= maxWaiting; number += 1) {
    recorder.record({ paymasterId: 'busy', userOperationHash: hashOf(number), holdId: second, atRisk: false });
  }
  isFull = false;
  await recorder.flush();
  const kept = await ledger.store.db
    .selectFrom('signatures')
    .select('user_operation_hash')
    .where('is_content_id', '=', 0)
    .orderBy('user_operation_hash')
    .limit(2)
    .execute();
  expect(kept).toEqual([{ user_operation_hash: hashOf(0) }, { user_operation_hash: hashOf(2) }]);
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
