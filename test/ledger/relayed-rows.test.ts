import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { handOverSeconds, keptSeconds, noteRelay, tidyRelays } from '../../core/ledger/holds/relayed-operations.ts';
import { chainId, contract, depositEvent, holdRequest, landedEvent, post, tankOf } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();
const hashOf = (nonce: bigint) => numberToHex(nonce, { size: 32 });

/** The relayed operations in the order of their nonces, each with when it is due. */
const stored = () =>
  ledger.store.db.selectFrom('relayed_operations').select(['hold_id', 'state', 'next_at']).orderBy('hold_id').execute();

test('a relayed operation ends with its hold, is kept for a week after that, and leaves the others alone', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 1_000n)]);
  const requests = [1n, 2n, 3n].map((nonce) => {
    const relayed = { userOperationHash: hashOf(nonce), operation: '{}' };
    return holdRequest({ tank: tankOf(1), amount: 10n, nonce, relayed });
  });
  await store.transaction((trx) => holdBatch(trx, requests, 1_000));
  const taken = { chainId, contract, userOperationHash: hashOf(2n), holdId: 2 };
  await store.transaction((trx) => noteRelay(trx, taken, { isTaken: true, nextAt: 1_500 }));
  const waiting = { state: 'waiting', next_at: 1_000 + handOverSeconds };
  const [first, third] = [
    { hold_id: 1, ...waiting },
    { hold_id: 3, ...waiting },
  ];
  const second = { hold_id: 2, state: 'taken', next_at: 1_500 };

  const tidy = (now: number, over = {}) => tidyRelays(store, { chainId, contract, ...over }, now);
  await tidy(2_000);
  expect(await stored()).toEqual([first, second, third]);
  await post(store, [landedEvent(0xa1, 1n, 5n)]);
  await tidy(2_000, { chainId: chainId + 1 });
  await tidy(2_000, { contract: tankOf(1).wallet });
  expect(await stored()).toEqual([first, second, third]);
  await tidy(2_000);
  const end = 2_000 + keptSeconds;
  expect(await stored()).toEqual([{ hold_id: 1, state: 'ended', next_at: end }, second, third]);
  await post(store, [landedEvent(0xa1, 2n, 5n)]);
  await tidy(end);
  const ended = { hold_id: 2, state: 'ended', next_at: end + keptSeconds };
  expect(await stored()).toEqual([{ hold_id: 1, state: 'ended', next_at: end }, ended, third]);
  await post(store, [landedEvent(0xa1, 3n, 5n)]);
  await tidy(end + 1);
  expect(await stored()).toEqual([ended, { hold_id: 3, state: 'ended', next_at: end + 1 + keptSeconds }]);
});
