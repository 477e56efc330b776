import { describe, expect, test } from 'vitest';
import { accept, type Result, refuse } from '../../core/domain/result/result.ts';
import { takeStretch } from '../../core/ledger/following/take-stretch.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { createLastCoinPrice, type SeenCoinPrice } from '../../core/quotes/last-coin-price.ts';
import { chainId, contract, depositEvent, holdRequest, landedEvent, post, tankOf } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const ledger = useLedger();

const ether = 10n ** 18n;
const sender = 0xa1;
/** 2,000 USD for a coin. */
const coinPrice: SeenCoinPrice = { usdMicrosPerCoin: 2_000_000_000n, at: 90 };

async function hold(amount: bigint, nonce: bigint) {
  const request = holdRequest({ tank: tankOf(1), amount, nonce });
  await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
}

const worths = (kind: 'deposit' | 'settle') =>
  ledger.store.db
    .selectFrom('journal')
    .select(['usd_micros', 'usd_micros_per_coin', 'priced_at'])
    .where('kind', '=', kind)
    .orderBy('entry_id')
    .execute();
const ofHolds = () => ledger.store.db.selectFrom('holds').select(['charge_usd']).orderBy('hold_id').execute();
const noWorth = { usd_micros: null, usd_micros_per_coin: null, priced_at: null };

describe('what is posted', () => {
  test('keeps what it was worth at the price that was last seen, also when it is rolled back', async () => {
    await post(ledger.store, [depositEvent(1, 3n * ether)], { coinPrice });
    await hold(ether, 1n);
    const landed = landedEvent(sender, 1n, ether / 4n);
    await post(ledger.store, [landed], { coinPrice: { ...coinPrice, usdMicrosPerCoin: 4_000_000_000n } });
    const quarter = { usd_micros: 1_000_000_000, usd_micros_per_coin: 4_000_000_000, priced_at: 90 };
    expect(await worths('deposit')).toEqual([{ ...quarter, usd_micros: 6_000_000_000, usd_micros_per_coin: 2e9 }]);
    expect(await worths('settle')).toEqual([quarter]);
    expect(await ofHolds()).toEqual([{ charge_usd: 1_000_000_000 }]);

    const toBlock = landed.blockNumber - 1n;
    const reversal = {
      chainId,
      contract,
      watchBefore: landed.blockNumber + 1n,
      toBlock,
      nextBlock: toBlock + 1n,
    } as const;
    await ledger.store.transaction((transaction) => revertTo(transaction, { ...reversal, lastHash: '0x' }, 2));
    expect(await worths('settle')).toEqual([quarter, quarter]);
    expect(await ofHolds()).toEqual([{ charge_usd: null }]);
  });

  test.each([
    ['is not known', undefined],
    ['makes it worth more than numbers hold', { usdMicrosPerCoin: 10n ** 17n, at: 90 }],
  ])('has no worth while the price %s', async (_, price) => {
    await post(ledger.store, [depositEvent(1, ether)], price === undefined ? {} : { coinPrice: price });
    await hold(ether, 1n);
    await post(ledger.store, [landedEvent(sender, 1n, ether / 4n)], price === undefined ? {} : { coinPrice: price });
    expect([await worths('deposit'), await worths('settle')]).toEqual([[noWorth], [noWorth]]);
    expect(await ofHolds()).toEqual([{ charge_usd: null }]);
  });

  test.each([
    ['within an hour of its blocks', 3_600, { usd_micros: 2_000_000_000, usd_micros_per_coin: 2e9, priced_at: 90 }],
    ['more than an hour before its blocks', 3_601, noWorth],
    ['more than an hour after its blocks', -3_601, noWorth],
  ])('has the worth of a price that was seen %s', async (_, blocksLater, worth) => {
    const event = depositEvent(1, ether);
    const stretch = { chainId, contract, events: [event], watchBefore: undefined, lastHash: '0x' } as const;
    const contractLedger = {
      store: ledger.store,
      clock: { now: () => 5_000 },
      logger: silentLogger,
      coinPrice: { last: () => coinPrice },
    };
    const chainTime = coinPrice.at + blocksLater;
    expect(await takeStretch(contractLedger, [{ ...stretch, nextBlock: event.blockNumber + 1n }], chainTime)).toBe(
      true,
    );
    expect(await worths('deposit')).toEqual([worth]);
  });
});

describe('the last price of a coin', () => {
  test('is never waited for, and is read again in the background after a while', async () => {
    let now = 1_000_000;
    const asked: ((price: Result<bigint>) => void)[] = [];
    const read = () => new Promise<Result<bigint>>((resolve) => asked.push(resolve));
    const price = createLastCoinPrice(read, { now: () => now });
    const settle = async (result: Result<bigint>) => {
      asked.at(-1)?.(result);
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    };
    price.refresh();
    price.refresh();
    expect([price.last(), price.fault(), asked.length]).toEqual([undefined, undefined, 1]);
    now += 4_000;
    await settle(accept(7n));
    expect(price.last()).toEqual({ usdMicrosPerCoin: 7n, at: 1_000 });

    now += 295_000;
    price.refresh();
    expect(asked).toHaveLength(1);
    now += 1_000;
    price.refresh();
    expect([price.last()?.usdMicrosPerCoin, asked.length]).toEqual([7n, 2]);
    await settle(refuse({ reason: 'PRICE_UNAVAILABLE', message: 'none', details: { asset: 'ETH', sources: '' } }));
    expect(price.last()?.at).toBe(1_000);
    // The earlier price still counts.
    expect(price.fault()).toBeUndefined();
    now += 900_000;
    expect(price.fault()).toBe('none');
    now -= 900_000;
    now += 30_000;
    price.refresh();
    expect(asked).toHaveLength(3);
  });
});
