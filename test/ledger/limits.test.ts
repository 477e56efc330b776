import { describe, expect, test } from 'vitest';
import type { LimitWindow, PolicyLimit } from '../../core/domain/policy.ts';
import { secondsPerDay } from '../../core/domain/utc-days.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { inWords } from '../support/core/in-words.ts';
import { chainId, contract, insertPaymaster, landedEvent, numberedAddress, post } from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';
import { oneOfEach } from '../support/run/rows-of-run.ts';

const lab = useLimitLab();
const { ledger, paymasterId } = lab;

const setLimits = (...limits: readonly PolicyLimit[]) => setPolicyLimits(ledger.store, paymasterId, limits);

const { ask } = lab;

async function countHeld(outcomes: readonly Promise<{ readonly kind: string }>[]): Promise<number> {
  return (await Promise.all(outcomes)).filter(({ kind }) => kind === 'held').length;
}

const windows: readonly LimitWindow[] = ['hour', 'day', 'week', 'month', 'ever'];
/** 1 coin is 2,000 USD, so 5 wei round up to a millionth of a USD. */
const usdMicrosPerCoin = 2_000_000_000n;

describe('1,000 requests at once never pass a limit', () => {
  const limits = windows.flatMap((window) =>
    (['sender', 'total'] as const).flatMap(
      (per) =>
        [
          { per, window, unit: 'operations', max: 37n },
          { per, window, unit: 'wei', max: 37n * 5n + 4n },
          { per, window, unit: 'usdMicros', max: 37n },
        ] satisfies PolicyLimit[],
    ),
  );

  test.each(oneOfEach(limits, ({ per, unit }) => `${per} ${unit}`))(
    '$unit of $per by $window: exactly 37 are held',
    async (limit) => {
      await setLimits(limit);
      expect(await countHeld(Array.from({ length: 1_000 }, () => ask({ usdMicrosPerCoin })))).toBe(37);
    },
  );

  test('of several limits the tightest decides, for each sender and for all of them', async () => {
    await setLimits(
      { per: 'sender', window: 'day', unit: 'operations', max: 10n },
      { per: 'total', window: 'day', unit: 'operations', max: 25n },
    );
    const ten = Array.from({ length: 1_000 }, (_, index) => ask({ sender: numberedAddress(1 + (index % 2)) }));
    expect(await countHeld(ten)).toBe(20);
    const rest = Array.from({ length: 1_000 }, (_, index) => ask({ sender: numberedAddress(100 + index) }));
    expect(await countHeld(rest)).toBe(5);
  });
});

describe('a limit', () => {
  test('says what is used, what was asked and when its next window begins', async () => {
    await setLimits({ per: 'sender', window: 'day', unit: 'wei', max: 12n });
    await ask();
    await ask();
    const outcome = await ask();
    if (outcome.kind !== 'limited') throw new Error(`The third was ${outcome.kind}.`);
    expect(outcome.refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      details: { limit: 'limit-sender-day-wei', max: '12', used: '10', asked: '5' },
    });
    expect(outcome.refusal.details?.frees).toContain('2026-11-21T00:00:00.000Z');
    expect(inWords(outcome.rulings).at(-1)).toMatchObject({ limit: '12 wei in a day', used: '10 wei' });
  });

  test.each([
    ['hour', 3_600],
    ['day', 86_400],
    ['week', 7 * 86_400],
    ['month', 31 * 86_400],
  ] as const)('by %s begins again with the next one, and one ever does not', async (window, length) => {
    const ever = { per: 'total', window: 'ever', unit: 'wei', max: 10n } as const;
    await setLimits({ per: 'total', window, unit: 'operations', max: 1n }, ever);
    expect((await ask()).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
    lab.now += length;
    expect((await ask()).kind).toBe('held');
    await setLimits(ever);
    expect((await ask()).kind).toBe('limited');
  });

  test('counts from when it is set, and goes on when its maximum is changed', async () => {
    await ask({ nonce: 900n });
    const limit = { per: 'total', window: 'day', unit: 'operations' } as const;
    await setLimits({ ...limit, max: 1n });
    expect((await ask()).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
    await setLimits({ ...limit, max: 2n });
    // What joins a hold of before counts with all of it.
    expect((await ask({ nonce: 900n, amount: 6n })).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
  });

  test('counts an operation that is asked for again after midnight in the new day, as a whole', async () => {
    await setLimits({ per: 'total', window: 'day', unit: 'wei', max: 10n });
    lab.now = Math.ceil(lab.now / secondsPerDay) * secondsPerDay - 60;
    expect((await ask({ nonce: 900n, amount: 6n })).kind).toBe('held');
    expect((await ask({ amount: 5n })).kind).toBe('limited');
    lab.now += 120;
    expect((await ask({ nonce: 900n, amount: 8n })).kind).toBe('held');
    expect((await ask({ amount: 3n })).kind).toBe('limited');
    expect((await ask({ amount: 2n })).kind).toBe('held');
  });

  test('that was removed begins at zero when it is set again, and what it counted before leaves nothing', async () => {
    const limit = { per: 'total', window: 'ever', unit: 'wei', max: 9n } as const;
    await setLimits(limit);
    expect((await ask({ nonce: 900n })).kind).toBe('held');
    await setLimits();
    await setLimits(limit);
    expect((await ask({ nonce: 901n, amount: 9n })).kind).toBe('held');
    // The hold of before settles, in the account of the limit that is gone.
    await post(ledger.store, [landedEvent(0xa1, 900n, 2n)]);
    expect((await ask({ amount: 1n })).kind).toBe('limited');
    expect(await ledger.store.read(checkAccounts)).toEqual([]);
  });

  test('in USD refuses a request that came without a price', async () => {
    await setLimits({ per: 'total', window: 'day', unit: 'usdMicros', max: 3_000_000n });
    expect(await ask()).toMatchObject({ kind: 'limited', refusal: { reason: 'PRICE_UNAVAILABLE' } });
  });

  test('gives back what is released', async () => {
    await setLimits(
      { per: 'sender', window: 'ever', unit: 'operations', max: 1n },
      { per: 'total', window: 'ever', unit: 'usdMicros', max: 1n },
    );
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('held');
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('limited');
    await ledger.store.transaction((transaction) =>
      releaseExpired(transaction, { chainId, contract, chainTime: lab.now + 301 }, lab.now),
    );
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('held');
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('limited');
  });

  test('on cost gives back what a landed operation did not use, and a limit on operations still counts it', async () => {
    const operations = { per: 'total', window: 'ever', unit: 'operations', max: 3n } as const;
    await setLimits({ per: 'total', window: 'ever', unit: 'wei', max: 10n }, operations);
    await ask({ amount: 10n, nonce: 900n });
    expect((await ask({ amount: 7n })).kind).toBe('limited');
    await post(ledger.store, [landedEvent(0xa1, 900n, 3n)]);
    expect((await ask({ amount: 7n })).kind).toBe('held');
    await setLimits(operations);
    expect((await ask()).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
  });

  test('in USD gives back what a landed operation did not use, also when it is counted later', async () => {
    const limit = { per: 'total', window: 'ever', unit: 'usdMicros' } as const;
    await setLimits({ ...limit, max: 3_000_000n });
    await ask({ nonce: 900n, amount: 10n ** 15n, usdMicrosPerCoin });
    await post(ledger.store, [landedEvent(0xa1, 900n, 10n ** 15n / 4n)]);
    // Half a USD is spent.
    expect((await ask({ amount: 126n * 10n ** 13n, usdMicrosPerCoin })).kind).toBe('limited');
    expect((await ask({ amount: 125n * 10n ** 13n, usdMicrosPerCoin })).kind).toBe('held');
    await setLimits({ ...limit, max: 3_000_001n });
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('held');
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('limited');
  });

  test('on cost counts all that is held again when the block of a landed operation is gone', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'wei', max: 10n });
    await ask({ nonce: 700n });
    await ask();
    const landed = landedEvent(0xa1, 700n, 3n);
    await post(ledger.store, [landed]);
    const toBlock = landed.blockNumber - 1n;
    const watchBefore = landed.blockNumber + 1n;
    const reversal = { chainId, contract, watchBefore, toBlock, nextBlock: toBlock + 1n, lastHash: '0x' } as const;
    await ledger.store.transaction((transaction) => revertTo(transaction, reversal, lab.now));
    expect(await ask({ amount: 1n })).toMatchObject({ kind: 'limited' });
    await post(ledger.store, [landed]);
    expect(await ask({ amount: 2n })).toMatchObject({ kind: 'held' });
    expect(await ask({ amount: 1n })).toMatchObject({ kind: 'limited' });
  });

  /** The block of a landed operation is gone. */
  async function takeBackLanding({ blockNumber }: ReturnType<typeof landedEvent>): Promise<void> {
    const { next_block } = await ledger.store.db
      .selectFrom('contract_watches')
      .select('next_block')
      .executeTakeFirstOrThrow();
    const toBlock = blockNumber - 1n;
    const reversal = { chainId, contract, watchBefore: BigInt(next_block), toBlock, nextBlock: blockNumber } as const;
    await ledger.store.transaction((transaction) => revertTo(transaction, { ...reversal, lastHash: '0x' }, lab.now));
  }

  test('in USD counts all that is held again when the block of a landed operation is gone, with the worth it had', async () => {
    const half = 5n * 10n ** 14n;
    await setLimits({ per: 'total', window: 'ever', unit: 'usdMicros', max: 3_000_000n });
    await ask({ nonce: 700n, amount: 2n * half, usdMicrosPerCoin });
    const landed = landedEvent(0xa1, 700n, half / 2n);
    await post(ledger.store, [landed]);
    // Half a USD is spent, and two are held again.
    expect((await ask({ amount: half / 2n, usdMicrosPerCoin })).kind).toBe('held');
    await takeBackLanding(landed);
    expect((await ask({ amount: half, usdMicrosPerCoin })).kind).toBe('limited');
    expect((await ask({ amount: half / 2n, usdMicrosPerCoin })).kind).toBe('held');
    expect((await ask({ usdMicrosPerCoin })).kind).toBe('limited');
  });

  test('counts of a hold that stands again what it counted before', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'wei', max: 100n });
    await ask({ mode: 'ERC20', amount: 50n, nonce: 700n });
    await ask({ amount: 30n, nonce: 700n });
    const landed = landedEvent(0xa1, 700n, 10n);
    await post(ledger.store, [landed]);
    await takeBackLanding(landed);
    expect((await ask({ amount: 71n })).kind).toBe('limited');
    expect((await ask({ amount: 70n })).kind).toBe('held');
  });

  test('does not count token mode that stands again', async () => {
    await ask({ mode: 'ERC20', nonce: 700n });
    const landed = landedEvent(0xa1, 700n, 3n);
    await post(ledger.store, [landed]);
    await takeBackLanding(landed);
    await setLimits({ per: 'sender', window: 'ever', unit: 'operations', max: 1n });
    expect((await ask()).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
  });

  test('counts a landed operation no more when its block is gone and another hold of its nonce stands', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'operations', max: 2n });
    await ask({ nonce: 700n });
    const landed = landedEvent(0xa1, 700n, 3n);
    await post(ledger.store, [landed]);
    await ask({ nonce: 700n });
    expect((await ask()).kind).toBe('limited');
    await takeBackLanding(landed);
    expect((await ask()).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
  });

  test('counts a nonce once, with its largest worst case', async () => {
    await setLimits(
      { per: 'total', window: 'ever', unit: 'operations', max: 1n },
      { per: 'total', window: 'ever', unit: 'wei', max: 9n },
    );
    for (const amount of [5n, 3n, 9n]) expect((await ask({ nonce: 900n, amount })).kind).toBe('held');
    expect((await ask({ nonce: 900n, amount: 10n })).kind).toBe('limited');
  });

  test('does not count token mode, until the same nonce is sponsored', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'wei', max: 9n });
    expect((await ask({ mode: 'ERC20', amount: 50n, nonce: 900n })).kind).toBe('held');
    expect((await ask({ mode: 'ERC20', amount: 50n, nonce: 901n })).kind).toBe('held');
    expect((await ask({ amount: 10n, nonce: 900n })).kind).toBe('limited');
    expect((await ask({ amount: 9n, nonce: 900n })).kind).toBe('held');
    expect((await ask({ amount: 1n })).kind).toBe('limited');
  });

  test('does not count token mode that is decided along with a sponsored operation', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'operations', max: 1n });
    const both = await Promise.all([ask({ mode: 'ERC20' }), ask()]);
    expect(both.map(({ kind }) => kind)).toEqual(['held', 'held']);
    expect((await ask()).kind).toBe('limited');
  });

  test('of one paymaster is not used up by another with the same tank', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'operations', max: 1n });
    expect((await ask({ paymasterId: 'other', nonce: 900n })).kind).toBe('held');
    expect((await ask({ nonce: 900n })).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
  });
});

describe('the same request again', () => {
  const same = { requestKey: 'same', nonce: 900n };

  test('gets the terms of the first and holds nothing more', async () => {
    const first = await ask({ ...same, amount: 5n, terms: 'first' });
    const second = await ask({ ...same, amount: 8n, terms: 'second' });
    expect(first).toMatchObject({ kind: 'held' });
    expect(second).toEqual({ ...first, terms: 'first' });
    const held = await ledger.store.db.selectFrom('tanks_with_held').select('held').executeTakeFirstOrThrow();
    expect(BigInt(held.held)).toBe(5n);
  });

  test('gets them in the same batch and after another request for the nonce too', async () => {
    const [first, second] = await Promise.all([ask({ ...same, terms: 'first' }), ask({ ...same, terms: 'second' })]);
    await ask({ nonce: 900n, amount: 50n });
    const third = await ask({ ...same, terms: 'third' });
    expect(first).not.toHaveProperty('terms');
    expect([second, third]).toMatchObject([{ terms: 'first' }, { terms: 'first' }]);
  });

  test('is not counted again by a limit that is full', async () => {
    await setLimits({ per: 'total', window: 'ever', unit: 'operations', max: 1n });
    await ask({ ...same, terms: 'first' });
    expect(await ask({ ...same, terms: 'second' })).toMatchObject({ kind: 'held', terms: 'first' });
  });

  test('gets new terms once its hold has ended, or is about to', async () => {
    await ask({ ...same, terms: 'first' });
    lab.now += 289;
    expect(await ask({ ...same, terms: 'second' })).toMatchObject({ terms: 'first' });
    lab.now += 1;
    expect(await ask({ ...same, terms: 'second' })).not.toHaveProperty('terms');
    await post(ledger.store, [landedEvent(0xa1, 900n, 3n)]);
    expect(await ask({ ...same, terms: 'third' })).not.toHaveProperty('terms');
  });

  test('gets them when nothing more can be held, and those of no other nonce', async () => {
    const first = await ask({ ...same, terms: 'first', chainDeposit: 5n });
    expect(await ask({ ...same, terms: 'second', chainDeposit: 5n })).toEqual({ ...first, terms: 'first' });
    const key = { requestKey: 'of two' };
    const both = await Promise.all([ask({ ...key, nonce: 901n }), ask({ ...key, nonce: 902n })]);
    expect(both.map((outcome) => 'terms' in outcome)).toEqual([false, false]);
  });

  test('is refused when the deposit no longer covers what is held', async () => {
    await ask({ ...same, terms: 'first' });
    expect(await ask({ ...same, terms: 'second', chainDeposit: 4n })).toMatchObject({ kind: 'unfunded' });
  });
});

test('a policy that cannot be read lets nothing through, and others of the batch pass', async () => {
  await ledger.store.db
    .insertInto('policies')
    .values({ paymaster_id: paymasterId, policy: '{"version":9}', updated_at: lab.now })
    .execute();
  const other = '10000000-0000-4000-8000-000000000002';
  await insertPaymaster(ledger.store, { paymasterId: other, accountId: '20000000-0000-4000-8000-000000000002' });
  const outcomes = await Promise.all([ask(), ask({ paymasterId: other })]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['limited', 'held']);
});
