import { expect, test } from 'vitest';
import { limitUnits, limitWindows, type PolicyLimit } from '../../core/domain/policy.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const usdMicrosPerCoin = 2_000_000_000n;

/** As many limits by sender as differ. */
const limitsBySender: readonly PolicyLimit[] = limitWindows.flatMap((window) =>
  limitUnits.map((unit) => ({ per: 'sender' as const, window, unit, max: 1_000_000n })),
);

/** A queue, and how many transactions it has had. */
function countedQueue(): { readonly queue: HoldQueue; readonly transactions: () => number } {
  const { store } = lab.ledger;
  let transactions = 0;
  const counting = {
    ...store,
    transaction: ((work) => {
      transactions += 1;
      return store.transaction(work);
    }) as typeof store.transaction,
  };
  return { queue: createHoldQueue(counting, lab.clock), transactions: () => transactions };
}

/** 256 requests at once, each of a sender of its own. */
async function askAtOnce(queue: HoldQueue): Promise<readonly string[]> {
  const outcomes = Array.from({ length: 256 }, (_, index) =>
    lab.ask({ sender: numberedAddress(0x1000 + index), usdMicrosPerCoin }, queue),
  );
  return (await Promise.all(outcomes)).map(({ kind }) => kind);
}

test('256 requests that few accounts count are held in one transaction', async () => {
  const { queue, transactions } = countedQueue();
  expect(new Set(await askAtOnce(queue))).toEqual(new Set(['held']));
  expect(transactions()).toBe(1);
});

test('of 256 requests that thousands of accounts count, some are held in a later transaction, and each is counted', async () => {
  await setPolicyLimits(lab.ledger.store, lab.paymasterId, limitsBySender);
  const { queue, transactions } = countedQueue();
  expect(new Set(await askAtOnce(queue))).toEqual(new Set(['held']));
  expect(transactions()).toBe(2);
  const names = await lab.ledger.store.db
    .selectFrom('ledger_accounts')
    .select('name')
    .where('name', 'like', 'limit/%')
    .where('count', '=', 1)
    .execute();
  expect(names).toHaveLength(256 * limitsBySender.length);
  expect(await lab.ledger.store.read(checkAccounts)).toEqual([]);
});
