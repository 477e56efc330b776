import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAgreedPrice, type PriceChoice } from '../../core/quotes/agreed-price.ts';
import { createFixedPrice } from '../../core/quotes/create-price-sources.ts';
import type { PriceReading, PriceSource } from '../../core/quotes/price-source.ts';

function source(kind: PriceSource['kind'], reading: PriceReading | string): PriceSource {
  if (typeof reading === 'string') return { kind, read: createFixedPrice(reading).read };
  return { kind, read: async () => reading };
}

function agree(
  sources: readonly PriceSource[],
  options: { choice?: PriceChoice; minimumSources?: number; maximumDeviationBasisPoints?: number } = {},
) {
  const { choice = 'lowest', minimumSources = 2, maximumDeviationBasisPoints = 200 } = options;
  return createAgreedPrice({
    asset: 'USDC',
    sources,
    limits: { minimumSources, maximumDeviationBasisPoints },
    choice,
  }).read();
}

const broken = source('http', { problem: 'answered with status 500' });

describe('sources that agree', () => {
  const sources = [source('chainlink', '100'), source('http', '101.00'), source('uniswap-v3', '100.5')];

  test('give the price against the user: the highest of the coin that is advanced, the lowest of the token', async () => {
    expect(await agree(sources, { choice: 'highest' })).toEqual({ ok: true, value: { value: 10_100n, decimals: 2 } });
    expect(await agree(sources, { choice: 'lowest' })).toEqual({ ok: true, value: { value: 100n, decimals: 0 } });
  });

  test('may differ by the deviation limit, and by nothing more', async () => {
    expect(await agree([source('chainlink', '100'), source('http', '102')])).toMatchObject({ ok: true });
    expect(await agree([source('chainlink', '102.000000000000000001'), source('http', '100')])).toMatchObject({
      ok: false,
    });
    expect(
      await agree([source('chainlink', '1'), source('http', '1')], { maximumDeviationBasisPoints: 0 }),
    ).toMatchObject({
      ok: true,
    });
  });

  test('give a price only when none of them is off, whatever their order', async () => {
    const text = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(String);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 4 }), fc.nat(3_000), async (prices, limit) => {
        const limits = { maximumDeviationBasisPoints: limit };
        const named = prices.map((price) => source('http', price));
        const values = prices.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
        const [low = 0n, high = 0n] = [values[0], values.at(-1)];
        const agreed = high * 10_000n <= low * BigInt(10_000 + limit);
        for (const [choice, value] of [
          ['lowest', low],
          ['highest', high],
        ] as const) {
          const result = await agree(named, { ...limits, choice });
          expect(result.ok ? result.value.value : undefined).toBe(agreed ? value : undefined);
        }
      }),
    );
  });
});

describe('there is no price', () => {
  test('when two sources disagree; the sentence names the token and both', async () => {
    expect(await agree([source('chainlink', '1.05'), source('uniswap-v3', '1')])).toEqual({
      ok: false,
      refusal: {
        reason: 'PRICE_UNAVAILABLE',
        message:
          'There is no price of USDC: its uniswap-v3 and chainlink sources disagree by 500 basis points, and at most 200 are allowed.',
        details: { asset: 'USDC', sources: 'uniswap-v3, chainlink' },
      },
    });
  });

  test('when too few sources have one; the sentence names those that have none', async () => {
    const stale = source('chainlink', { problem: 'could not be read' });
    expect(await agree([stale, broken, source('fixed', '1')])).toEqual({
      ok: false,
      refusal: {
        reason: 'PRICE_UNAVAILABLE',
        message:
          'There is no price of USDC: its chainlink source could not be read; its http source answered with status 500.',
        details: { asset: 'USDC', sources: 'chainlink, http' },
      },
    });
  });

  test('of one source, unless the operator says that one is enough', async () => {
    expect(await agree([source('fixed', '1')])).toMatchObject({ ok: false });
    expect(await agree([source('fixed', '1')], { minimumSources: 1 })).toMatchObject({ ok: true });
  });

  test('of a third source that is off, although two agree', async () => {
    expect(await agree([source('chainlink', '1'), source('http', '1'), source('fixed', '2')])).toMatchObject({
      ok: false,
    });
  });

  test('of no source at all', async () => {
    expect(await agree([], { minimumSources: 1 })).toMatchObject({ ok: false });
  });
});

test('a source without a price counts for nothing while enough others have one', async () => {
  const sources = [broken, source('chainlink', '1'), source('fixed', '1')];
  expect(await agree(sources)).toMatchObject({ ok: true });
  expect(await agree(sources, { minimumSources: 3 })).toMatchObject({ ok: false });
});

test.each(['', '0', '0.00', '-1', 'one', '1e999'])('a fixed price of %j is refused at start', (usd) => {
  expect(() => createFixedPrice(usd)).toThrow(RangeError);
});
