import { beforeEach, expect, test } from 'vitest';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { readSigners, recordSigner } from '../../core/ledger/signers.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const first = numberedAddress(0x51);
const second = numberedAddress(0x52);
const otherContract = numberedAddress(0xc2);

const ledger = useLedger();
beforeEach(async () => {
  await post(ledger.store, [depositEvent(1, 1_000n)]);
});

function signs(signer: typeof first, now: number, on = contract) {
  return recordSigner(ledger.store, { chainId, contract: on, signer, now });
}

/** Holds at this second, for a signature that is good until then. */
async function hold(second: number, validUntil: number, nonce: bigint): Promise<void> {
  const queue = createHoldQueue(ledger.store, { now: () => second * 1_000 }, []);
  const outcome = await queue.hold(holdRequest({ tank: tankOf(1), amount: 1n, validUntil, nonce }));
  expect(outcome.kind).toBe('held');
}

/** Each key of the contract, as it is listed: the end of its time, and of its signatures. */
async function keys(on = contract) {
  const all = await readSigners(ledger.store);
  return all
    .filter((one) => one.contract === on)
    .map(({ signer, since, until, openUntil }) => ({ signer, since, until, openUntil }));
}

test('the key that signs is listed first, with those before it and the end of their signatures', async () => {
  await signs(first, 1_000);
  await hold(1_100, 1_400, 1n);
  await signs(second, 1_200);
  await signs(second, 1_300);
  // Under way while the key was replaced: either may have signed it.
  await hold(1_260, 1_900, 2n);
  await hold(1_261, 2_500, 3n);
  expect(await keys()).toEqual([
    { signer: second, since: 1_200, until: undefined, openUntil: 2_500 },
    { signer: first, since: 1_000, until: 1_200, openUntil: 1_900 },
  ]);
});

test('signatures of another contract say nothing, nor those that have ended', async () => {
  await signs(first, 1_000);
  await signs(second, 1_000, otherContract);
  await hold(1_100, 1_400, 1n);
  expect(await keys(otherContract)).toMatchObject([{ signer: second, openUntil: undefined }]);
  const ended = { chainId, contract, chainTime: 1_401 };
  await ledger.store.transaction((transaction) => releaseExpired(transaction, ended, 1_401));
  expect(await keys()).toMatchObject([{ signer: first, openUntil: undefined }]);
});

test('a key that signs again is the one that signs, from then on', async () => {
  await signs(first, 1_000);
  await signs(second, 1_100);
  await signs(first, 1_100);
  expect(await keys()).toMatchObject([
    { signer: first, since: 1_100, until: undefined },
    { signer: second, since: 1_100, until: 1_100 },
  ]);
});
