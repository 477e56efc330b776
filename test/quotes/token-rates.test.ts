import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainConfig, PriceConfig, PriceSourceConfig } from '../../core/domain/core-config.ts';
import { createTokenRates } from '../../core/quotes/token-rates.ts';
import { json, startPriceServer } from '../support/servers/price-server.ts';
import { createTestClock, type PriceLab, startPriceLab } from './price-lab.ts';

const now = 1_800_000_000;
const token = '0x00000000000000000000000000000000000000AA';
const one: PriceConfig = price([{ kind: 'fixed', usd: '1' }], 1);

let lab: PriceLab;
beforeAll(async () => {
  lab = await startPriceLab();
});
afterAll(() => lab.close());

function price(sources: readonly PriceSourceConfig[], minimumSources = 2): PriceConfig {
  return { sources, minimumSources, maximumDeviationBasisPoints: 200 };
}

/** The rate of one token of 6 decimals, its own premium 10 %. */
function startRates(config: Partial<ChainConfig> & { tokenPrice?: PriceConfig }, contractPremium = 0) {
  const clock = createTestClock(now);
  const { tokenPrice = one, ...chain } = config;
  const rates = createTokenRates(
    {
      ...lab.config,
      nativePrice: price([{ kind: 'fixed', usd: '2000' }], 1),
      tokens: [
        { symbol: 'USDC', address: token, decimals: 6, logoUrl: '', premiumBasisPoints: 1_000, price: tokenPrice },
      ],
      ...chain,
    },
    { client: lab.client, clock },
  );
  const [only] = rates.tokens;
  if (only === undefined) throw new Error('The chain has no token.');
  return { clock, rates, token: only, read: () => rates.rate(only, contractPremium) };
}

async function chainlink(answer: bigint, updatedAt = now): Promise<PriceSourceConfig & { aggregator: Address }> {
  const aggregator = await lab.deployAggregator(8);
  await lab.setAggregator(aggregator, { answer, updatedAt });
  return { kind: 'chainlink', aggregator, maxAgeSeconds: 3_600 };
}

async function http(text: string): Promise<PriceSourceConfig> {
  const { url } = await startPriceServer(json(text));
  return { kind: 'http', url, path: 'usd', maxAgeSeconds: 60, allowHttp: true };
}

describe('the rate of a token', () => {
  test('carries the premiums of token and paymaster contract, added up', async () => {
    expect(await startRates({}, 250).read()).toMatchObject({
      ok: true,
      value: { rate: 2_000_000_000n, premiumBasisPoints: 1_250, rateWithPremium: 2_250_000_000n },
    });
    expect(await startRates({}).read()).toMatchObject({ ok: true, value: { rateWithPremium: 2_200_000_000n } });
  });

  test('takes the highest price of the coin and the lowest of the token', async () => {
    const nativePrice = price([await chainlink(2_000_00000000n), { kind: 'fixed', usd: '2040' }]);
    const tokenPrice = price([await chainlink(1_02000000n), { kind: 'fixed', usd: '1' }]);
    expect(await startRates({ nativePrice, tokenPrice }).read()).toMatchObject({
      ok: true,
      value: { rate: 2_040_000_000n, usd: { value: 1n, decimals: 0 } },
    });
  });

  test('is refused when the sources of the coin disagree', async () => {
    const nativePrice = price([await chainlink(2_000_00000000n), { kind: 'fixed', usd: '2100' }]);
    expect(await startRates({ nativePrice }).read()).toMatchObject({
      ok: false,
      refusal: {
        reason: 'PRICE_UNAVAILABLE',
        message: expect.stringContaining('of the native coin of chain 31337: its chainlink and fixed sources disagree'),
      },
    });
  });

  test('is refused when a source of the token is stale, and is back when that is', async () => {
    const feed = await chainlink(1_00000000n, now - 3_601);
    const rates = startRates({ tokenPrice: price([feed, { kind: 'fixed', usd: '1' }]) });
    expect(await rates.read()).toMatchObject({
      ok: false,
      refusal: {
        reason: 'PRICE_UNAVAILABLE',
        message:
          'There is no price of USDC: its chainlink source has a price from 3601 seconds ago, but at most 3600 are allowed.',
        details: { asset: 'USDC', sources: 'chainlink' },
      },
    });
    await lab.setAggregator(feed.aggregator, { answer: 1_00000000n, updatedAt: now });
    rates.clock.pass(5);
    expect(await rates.read()).toMatchObject({ ok: true });
  });

  test('can rest on a feed and a web page; neither tells more than its kind', async () => {
    const tokenPrice = price([await chainlink(1_00000000n), await http('{"usd":1.001}')]);
    expect(await startRates({ tokenPrice }).read()).toMatchObject({ ok: true, value: { rate: 2_000_000_000n } });

    const failing = price([await chainlink(1_00000000n), await http('{"usd":null}')]);
    const refused = await startRates({ tokenPrice: failing }).read();
    expect(refused).toMatchObject({
      refusal: { message: 'There is no price of USDC: its http source has no decimal number at usd.' },
    });
    expect(JSON.stringify(refused)).not.toMatch(/127\.0\.0\.1|secret/);
  });

  test('is refused when it is too large to be right', async () => {
    const tokenPrice = price([{ kind: 'fixed', usd: `0.${'0'.repeat(39)}1` }], 1);
    expect(await startRates({ tokenPrice }).read()).toMatchObject({
      ok: false,
      refusal: { reason: 'PRICE_UNAVAILABLE', message: expect.stringContaining('price of USDC') },
    });
  });

  test('reads a feed once that stands in several places', async () => {
    const feed = await chainlink(1_00000000n);
    const shared = price([feed, { kind: 'fixed', usd: '1' }]);
    const rates = startRates({ nativePrice: shared, tokenPrice: shared });
    const before = lab.requests.length;
    await Promise.all(Array.from({ length: 50 }, () => rates.read()));
    expect(lab.requests.length - before).toBe(2);
  });
});

describe('while the sequencer of a layer 2', () => {
  async function withSequencer(round: { answer: bigint; startedAt: number }) {
    const feed = await lab.deployAggregator(0);
    await lab.setAggregator(feed, round);
    return { feed, ...startRates({ sequencerUptime: { feed, graceSeconds: 3_600 } }) };
  }

  test('runs, there are rates', async () => {
    const { read } = await withSequencer({ answer: 0n, startedAt: now - 3_601 });
    expect(await read()).toMatchObject({ ok: true });
  });

  test.each([
    ['is down', { answer: 1n, startedAt: now - 10_000 }, 'reports that it is down'],
    [
      'is back for less than the grace period',
      { answer: 0n, startedAt: now - 3_600 },
      'reports that it has been up for 3600 seconds, but 3600 are required',
    ],
    ['has never been heard of', { answer: 0n, startedAt: 0 }, 'has no answer yet'],
    ['is in a state that does not exist', { answer: 2n, startedAt: now - 10_000 }, 'reports that it is down'],
  ])('%s, there are none', async (_, round, why) => {
    const { read } = await withSequencer(round);
    expect(await read()).toEqual({
      ok: false,
      refusal: {
        reason: 'PRICE_UNAVAILABLE',
        message: `Prices on chain 31337 are not used: the uptime feed of its sequencer ${why}.`,
        details: { asset: 'chain 31337', sources: 'sequencer-uptime' },
      },
    });
  });

  test('cannot be asked after, there are none', async () => {
    const feed = '0x00000000000000000000000000000000000000bb';
    expect(await startRates({ sequencerUptime: { feed, graceSeconds: 1 } }).read()).toMatchObject({
      refusal: { reason: 'PRICE_UNAVAILABLE', message: expect.stringContaining('could not be read') },
    });
  });

  test('was down, rates are back when the grace period is over', async () => {
    const { read, clock, feed } = await withSequencer({ answer: 1n, startedAt: now });
    expect(await read()).toMatchObject({ ok: false });
    await lab.setAggregator(feed, { answer: 0n, startedAt: now + 10 });
    clock.pass(60);
    expect(await read()).toMatchObject({ ok: false });
    clock.pass(3_600);
    expect(await read()).toMatchObject({ ok: true });
  });
});

test('a token is found in any case of its letters, and no other is', () => {
  const { rates } = startRates({});
  expect(rates.find(token.toLowerCase())?.symbol).toBe('USDC');
  expect(rates.find('0x00000000000000000000000000000000000000bb')).toBeUndefined();
  expect(rates.find('USDC')).toBeUndefined();
});
