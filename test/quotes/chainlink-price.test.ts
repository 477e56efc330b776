import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChainClient } from '../../core/node/chain-client.ts';
import { createChainlinkPrice } from '../../core/quotes/create-price-sources.ts';
import { createTestClock, type PriceLab, startPriceLab } from './price-lab.ts';

const now = 1_800_000_000;

let lab: PriceLab;
beforeAll(async () => {
  lab = await startPriceLab();
});
afterAll(() => lab.close());

/** An aggregator with this round, as a source that takes answers of up to an hour. */
async function feedWith(round: { answer: bigint; updatedAt?: number }, decimals = 8) {
  const aggregator = await lab.deployAggregator(decimals);
  await lab.setAggregator(aggregator, { updatedAt: now, ...round });
  const clock = createTestClock(now);
  const source = createChainlinkPrice(
    { kind: 'chainlink', aggregator, maxAgeSeconds: 3_600 },
    { client: lab.client, clock },
  );
  return { ...source, aggregator, clock };
}

describe('a price of an aggregator', () => {
  test.each([
    [0, 2n ** 53n + 1n],
    [8, 2n ** 63n],
    [18, 2n ** 128n],
    [36, 1n],
  ])('with %i decimals is exact', async (decimals, answer) => {
    expect(await (await feedWith({ answer }, decimals)).read()).toEqual({ price: { value: answer, decimals } });
  });

  test.each([
    ['zero', { answer: 0n }, 'has a price that is not above zero'],
    ['negative', { answer: -1n }, 'has a price that is not above zero'],
    [
      'stale',
      { answer: 1n, updatedAt: now - 3_601 },
      'has a price from 3601 seconds ago, but at most 3600 are allowed',
    ],
    ['from the future', { answer: 1n, updatedAt: now + 121 }, 'has a price from 121 seconds in the future'],
    [
      'of a round that never ended',
      { answer: 1n, updatedAt: 0 },
      `has a price from ${now} seconds ago, but at most 3600 are allowed`,
    ],
  ])('that is %s is none', async (_, round, problem) => {
    expect(await (await feedWith(round)).read()).toEqual({ problem });
  });

  test('is taken up to its age limit and a little from the future', async () => {
    expect(await (await feedWith({ answer: 1n, updatedAt: now - 3_600 })).read()).toHaveProperty('price');
    expect(await (await feedWith({ answer: 1n, updatedAt: now + 120 })).read()).toHaveProperty('price');
  });

  test('with more digits than any price has is none', async () => {
    expect(await (await feedWith({ answer: 1n }, 255)).read()).toEqual({ problem: 'has a price with too many digits' });
  });

  test('that is not there is none', async () => {
    const aggregator = '0x00000000000000000000000000000000000000aa';
    const config = { kind: 'chainlink', aggregator, maxAgeSeconds: 60 } as const;
    const clock = createTestClock(now);
    expect(await createChainlinkPrice(config, { client: lab.client, clock }).read()).toEqual({
      problem: 'could not be read',
    });
    const down = createChainClient({ ...lab.config, nodeUrls: ['http://127.0.0.1:1/secret'] });
    expect(await createChainlinkPrice(config, { client: down, clock }).read()).toEqual({
      problem: 'could not be read',
    });
  });

  test('that has turned bad is not replaced by the one before', async () => {
    const feed = await feedWith({ answer: 5n });
    expect(await feed.read()).toHaveProperty('price');
    await lab.setAggregator(feed.aggregator, { answer: -5n, updatedAt: now });
    feed.clock.pass(5);
    expect(await feed.read()).toHaveProperty('problem');
  });
});

test('many who ask an aggregator at once share one read', async () => {
  const feed = await feedWith({ answer: 5n });
  const before = lab.requests.length;
  const reads = () => lab.requests.length - before;
  await Promise.all(Array.from({ length: 100 }, () => feed.read()));
  // Its decimals, which never change, and its latest round.
  expect(reads()).toBe(2);
  await feed.read();
  expect(reads()).toBe(2);
  feed.clock.pass(5);
  await Promise.all(Array.from({ length: 100 }, () => feed.read()));
  expect(reads()).toBe(3);
});
