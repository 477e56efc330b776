import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../server/config/load-config.ts';

const exampleFile = resolve(import.meta.dirname, '../../server/config/tollfree.example.json');
const aggregator = '0x694AA1769357215DE4FAC081bf1f309aDC325306';
const feed = { kind: 'chainlink', aggregator };
const page = { kind: 'http', url: 'https://prices.example/eth?key=abc', path: 'data.amount' };
const fixed = { kind: 'fixed', usd: '1.00' };
const pool = { kind: 'uniswap-v3', pool: aggregator, quoteToken: aggregator, quotePrice: fixed };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-prices-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The chain of the example with these settings changed, as it is loaded. */
function loadChain(change: object) {
  const example: { chains: [object] } = JSON.parse(readFileSync(exampleFile, 'utf8'));
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ ...example, chains: [{ ...example.chains[0], ...change }] }));
  return loadConfig({ config: file }, {}).chains?.[0];
}

const loadPrice = (nativePrice: unknown) => loadChain({ nativePrice })?.nativePrice;

describe('a price', () => {
  test('needs two sources that differ by 2 % at most, unless the operator says otherwise', () => {
    expect(loadPrice({ sources: [feed, page] })).toMatchObject({ minimumSources: 2, maximumDeviationBasisPoints: 200 });
    expect(loadPrice({ sources: [feed, page, pool], minimumSources: 3, maximumDeviationBasisPoints: 0 })).toMatchObject(
      {
        minimumSources: 3,
        maximumDeviationBasisPoints: 0,
      },
    );
    expect(loadPrice({ sources: [fixed], minimumSources: 1 })).toMatchObject({ sources: [fixed] });
  });

  test('has an age limit for each source that can grow old', () => {
    expect(loadPrice({ sources: [feed, page, pool, fixed] })?.sources).toEqual([
      { ...feed, maxAgeSeconds: 3_600 },
      { ...page, maxAgeSeconds: 300, allowHttp: false },
      { ...pool, maxAgeSeconds: 300, windowSeconds: 1_800 },
      fixed,
    ]);
  });

  test.each<readonly [string, unknown, RegExp]>([
    ['one source alone', { sources: [feed] }, /nativePrice\.sources must have at least as many .* "minimumSources": 1/],
    ['a lone fixed source', { sources: [fixed] }, /a single source is accepted only with "minimumSources": 1/],
    ['no source', { sources: [], minimumSources: 1 }, /nativePrice\.sources must have at least one source/],
    ['the same source twice', { sources: [feed, feed] }, /must not have the same source twice/],
    ['a source without its price', { sources: [{ kind: 'fixed' }, feed] }, /sources\[0\]\.usd is missing/],
    ['a price in place of its sources', fixed, /nativePrice/],
    [
      'plain http',
      { sources: [feed, { ...page, url: 'http://prices.example/' }] },
      /url must be an https URL, unless allowHttp is true/,
    ],
    [
      'another protocol',
      { sources: [feed, { ...page, url: 'file:///etc/passwd', allowHttp: true }] },
      /url must be an https URL/,
    ],
    ['a path that is none', { sources: [feed, { ...page, path: 'data..x' }] }, /path must be keys and indexes/],
    ['headers', { sources: [feed, { ...page, headers: {} }] }, /"headers" in chains\[0\]\.nativePrice\.sources\[1\]/],
    ['a pool against a pool', { sources: [feed, { ...pool, quotePrice: pool }] }, /quotePrice/],
    ['a window of nothing', { sources: [feed, { ...pool, windowSeconds: 0 }] }, /windowSeconds must not be below 60/],
    [
      'an age without end',
      { sources: [page, { ...feed, maxAgeSeconds: 10_000_000 }] },
      /maxAgeSeconds must not be above/,
    ],
    [
      'a deviation beyond sense',
      { sources: [feed, page], maximumDeviationBasisPoints: 10_000 },
      /must not be above 5000/,
    ],
  ])('with %s is a sentence at start', (_, price, sentence) => {
    expect(() => loadPrice(price)).toThrow(
      expect.objectContaining({ exitCode: 1, message: expect.stringMatching(sentence) }),
    );
  });

  test('can be asked for over http when the operator says so', () => {
    const url = 'http://127.0.0.1:8080/';
    expect(loadPrice({ sources: [feed, { ...page, url, allowHttp: true }] })?.sources[1]).toMatchObject({ url });
  });
});

test('a paymaster contract has no premium of its own unless it is given one', () => {
  expect(loadChain({})?.paymasterContracts[0]?.premiumBasisPoints).toBe(0);
});

test('a sequencer has an hour to catch up unless the operator says otherwise', () => {
  expect(loadChain({})?.sequencerUptime).toBeUndefined();
  expect(loadChain({ sequencerUptime: { feed: aggregator } })?.sequencerUptime).toEqual({
    feed: aggregator,
    graceSeconds: 3_600,
  });
});
