import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UniswapPriceConfig } from '../../core/domain/core-config.ts';
import { createFixedPrice } from '../../core/quotes/create-price-sources.ts';
import type { Decimal, PriceReading, PriceSource } from '../../core/quotes/price-source.ts';
import { createUniswapPrice, priceAtTick } from '../../core/quotes/uniswap-price.ts';
import { createTestClock, type PriceLab, startPriceLab } from './price-lab.ts';

const windowSeconds = 600;

let lab: PriceLab;
beforeAll(async () => {
  lab = await startPriceLab();
});
afterAll(() => lab.close());

/** A price as a double: the expectations here are good to a part in a million. */
function asNumber(reading: PriceReading | Decimal): number {
  const price = 'price' in reading ? reading.price : reading;
  if (!('value' in price)) throw new Error(JSON.stringify(reading));
  return Number((price.value * 10n ** 30n) / 10n ** BigInt(price.decimals)) / 1e30;
}

/** Two tokens and a pool between them that has stood at `tick` for longer than the window. */
async function startPool(options: {
  pricedDecimals: number;
  quoteDecimals: number;
  tick: number;
  pricedIsToken0: boolean;
}) {
  const [first, second] = options.pricedIsToken0
    ? [options.pricedDecimals, options.quoteDecimals]
    : [options.quoteDecimals, options.pricedDecimals];
  const [token0, token1] = await deployInOrder(first, second);
  const pool = await lab.deployPool([token0, token1], options.tick);
  await lab.passChainTime(windowSeconds);
  const [priced, quoteToken] = options.pricedIsToken0 ? [token0, token1] : [token1, token0];
  return { pool, priced, quoteToken };
}

/** Two tokens, the lower address first, as a pool has them. */
async function deployInOrder(first: number, second: number): Promise<readonly [Address, Address]> {
  const token0 = await lab.deployToken(first);
  for (;;) {
    const token1 = await lab.deployToken(second);
    if (BigInt(token0) < BigInt(token1)) return [token0, token1];
    const retry = await lab.deployToken(first);
    if (BigInt(retry) < BigInt(token1)) return [retry, token1];
  }
}

async function sourceOf(
  pool: { pool: Address; priced: Address; quoteToken: Address },
  options: {
    decimals?: number;
    quote?: PriceSource;
    config?: Partial<UniswapPriceConfig>;
    priced?: Address | undefined;
  } = {},
) {
  const quote = options.quote ?? createFixedPrice('1');
  const config: UniswapPriceConfig = {
    kind: 'uniswap-v3',
    pool: pool.pool,
    quoteToken: pool.quoteToken,
    quotePrice: { kind: 'fixed', usd: '1' },
    windowSeconds,
    maxAgeSeconds: 60,
    ...options.config,
  };
  const clock = createTestClock(await lab.chainTime());
  const priced = { address: 'priced' in options ? options.priced : pool.priced, decimals: options.decimals ?? 18 };
  return { ...createUniswapPrice(config, { client: lab.client, clock, priced, quote }), clock };
}

describe('the price in a pool', () => {
  // 1.0001^-200311 * 10^12 = 2,000.1 USDC (6 decimals) for one WETH (18 decimals).
  test.each([
    ['the first', { pricedIsToken0: true, tick: -200_311 }],
    ['the second', { pricedIsToken0: false, tick: 200_311 }],
  ])('is that of the priced token when it is %s of the two', async (_, sides) => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 6, ...sides });
    const price = asNumber(await (await sourceOf(pool)).read());
    expect(price / 1.0001 ** -200_311 / 1e12).toBeCloseTo(1, 6);
    expect(price).toBeGreaterThan(1_990);
    expect(price).toBeLessThan(2_010);
  });

  test.each([
    [0, 0],
    [0, 36],
    [6, 18],
    [36, 6],
    [36, 0],
  ])('counts whole tokens of %i decimals in whole tokens of %i', (pricedDecimals, quoteDecimals) => {
    const pool = { quoteIsToken0: false, quoteDecimals, pricedDecimals };
    // At a tick of 0 one base unit is worth one base unit.
    const { value, decimals } = priceAtTick(0, pool);
    expect(value * 10n ** BigInt(quoteDecimals)).toBe(10n ** BigInt(pricedDecimals + decimals));
  });

  test('keeps 20 digits at the ends of what a pool can hold', () => {
    for (const quoteIsToken0 of [true, false]) {
      const tick = quoteIsToken0 ? 887_272 : -887_272;
      const { value } = priceAtTick(tick, { quoteIsToken0, quoteDecimals: 36, pricedDecimals: 0 });
      expect(value).toBeGreaterThan(10n ** 20n);
    }
  });

  test('is multiplied with the exact price of the quote token', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 0, pricedIsToken0: true });
    const source = await sourceOf(pool, { quote: createFixedPrice('0.999') });
    expect(asNumber(await source.read())).toBe(0.999);
  });

  test('is the mean over the window, and not that of the moment', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 100, pricedIsToken0: true });
    await lab.movePool(pool.pool, 60_000);
    const source = await sourceOf(pool);
    // The block of the move ends the window, which still holds the old tick only.
    expect(asNumber(await source.read())).toBeCloseTo(1.0001 ** 100, 6);

    await lab.passChainTime(windowSeconds / 2);
    source.clock.moveTo(await lab.chainTime());
    expect(asNumber(await source.read())).toBeCloseTo(1.0001 ** ((100 + 60_000) / 2), 6);

    await lab.passChainTime(windowSeconds / 2);
    source.clock.moveTo(await lab.chainTime());
    expect(asNumber(await source.read())).toBeCloseTo(1.0001 ** 60_000, 6);
  });
});

describe('a pool gives no price', () => {
  test('over a window that it does not remember', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 0, pricedIsToken0: true });
    const source = await sourceOf(pool, { config: { windowSeconds: 86_400 } });
    expect(await source.read()).toEqual({ problem: 'could not be read' });
  });

  test('when the latest block is too old, or from the future', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 0, pricedIsToken0: true });
    const late = await sourceOf(pool);
    late.clock.pass(61);
    expect(await late.read()).toEqual({ problem: 'has a price from 61 seconds ago, but at most 60 are allowed' });
    const early = await sourceOf(pool);
    early.clock.pass(-121);
    expect(await early.read()).toEqual({ problem: 'has a price from 121 seconds in the future' });
  });

  test('at a tick that no pool can have', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 887_273, pricedIsToken0: true });
    expect(await (await sourceOf(pool)).read()).toEqual({ problem: 'has a mean tick outside the range of any pool' });
  });

  test('of other tokens than it holds', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 6, tick: 0, pricedIsToken0: true });
    const stranger = await lab.deployToken(18);
    const otherToken = await sourceOf(pool, { priced: stranger });
    expect(await otherToken.read()).toEqual({ problem: 'has a pool without the token' });
    const otherQuote = await sourceOf(pool, { config: { quoteToken: stranger } });
    expect(await otherQuote.read()).toEqual({ problem: 'has a pool without its quote token' });
    const otherDecimals = await sourceOf(pool, { decimals: 8 });
    expect(await otherDecimals.read()).toEqual({ problem: 'has a pool whose token has other decimals' });
    const native = await sourceOf(pool, { priced: undefined });
    expect(await native.read()).toHaveProperty('price');
  });

  test('when its quote token has none', async () => {
    const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 0, pricedIsToken0: true });
    const quote: PriceSource = { kind: 'chainlink', read: async () => ({ problem: 'could not be read' }) };
    const source = await sourceOf(pool, { quote });
    expect(await source.read()).toEqual({
      problem: 'has no price of its quote token, whose chainlink source could not be read',
    });
  });
});

test('many who ask a pool at once share one read', async () => {
  const pool = await startPool({ pricedDecimals: 18, quoteDecimals: 18, tick: 0, pricedIsToken0: true });
  const source = await sourceOf(pool);
  const before = lab.requests.length;
  await Promise.all(Array.from({ length: 100 }, () => source.read()));
  // Both tokens and their decimals, the latest block, the pool's means.
  expect(lab.requests.length - before).toBe(6);
  source.clock.pass(5);
  await Promise.all(Array.from({ length: 100 }, () => source.read()));
  expect(lab.requests.length - before).toBe(8);
});
