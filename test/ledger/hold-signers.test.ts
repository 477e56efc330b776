import { beforeEach, expect, test } from 'vitest';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { readHold } from '../../core/ledger/releasing/read-open-holds.ts';
import {
  chainId,
  depositEvent,
  type HoldAsked,
  holdRequest,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const first = numberedAddress(0x51);
const second = numberedAddress(0x52);

const ledger = useLedger();
let queue: HoldQueue;

beforeEach(async () => {
  queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
  await post(ledger.store, [depositEvent(1, 1_000n)]);
});

/** Holds, and answers the keys that have signed under the hold since it was made. */
async function signersAfter(over: HoldAsked): Promise<readonly string[] | undefined> {
  const outcome = await queue.hold(holdRequest({ tank: tankOf(1), amount: 5n, ...over }));
  if (outcome.kind !== 'held') throw new Error(outcome.kind);
  return (await readHold(ledger.store.db, chainId, outcome.holdId))?.signers;
}

test('a hold keeps every key that has signed under it, of the same request and of others', async () => {
  const again = { requestKey: 'again', terms: 'again', validUntil: 2_000 };
  expect(await signersAfter({ ...again, signer: first })).toEqual([first]);
  expect(await signersAfter({ ...again, signer: first })).toEqual([first]);
  // Answered with the terms of before, and signed by the key of now.
  expect(await signersAfter({ ...again, signer: second })).toEqual([first, second]);
  expect(await signersAfter({ amount: 7n, signer: numberedAddress(0x53) })).toHaveLength(3);
  expect(await signersAfter({ nonce: 1n, signer: second })).toEqual([second]);
});

test('requests that are decided at once leave all their keys', async () => {
  const keys = [0x61, 0x62, 0x63].map(numberedAddress);
  const all = await Promise.all(keys.map((signer) => signersAfter({ signer })));
  expect(all.at(-1)).toEqual(keys);
});

test('of a hold of an earlier version it stays unknown who has signed', async () => {
  await signersAfter({});
  await ledger.store.db.updateTable('holds').set({ signers: null }).execute();
  expect(await signersAfter({ amount: 9n })).toBeUndefined();
});
