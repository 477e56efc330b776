import { parse } from 'jsonc-parser';
import { isAddress } from 'viem';
import * as publishedChains from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { hasDollarCoin } from '../../core/domain/chain-config.ts';
import { coinbasePrice, tokenEntry } from '../../server/chains/well-known-chain.ts';
import { wellKnownChains } from '../../server/chains/well-known-chains.ts';
import { configSchema } from '../../server/config/config-schema.ts';
import { expandNames } from '../../server/config/expand-names.ts';
import { isPriceOf } from '../../server/doctor/chain/check-prices.ts';
import { configurationText } from '../../server/init/configuration-text.ts';

const parts = {
  coinUsd: '',
  nodeUrls: ['https://node.example'],
  databaseFile: 'data/tollfree.db',
  coreSocket: 'data/grpc/core.sock',
  signUp: 'closed',
  publicUrl: '',
  trustedProxies: [],
  startBlock: 1n,
  masterKeyFile: 'secrets/master.key',
  keystoreFile: 'secrets/signer.json',
  passwordFile: undefined,
};

test('the ten largest chains are known, each once', () => {
  const ids = wellKnownChains.map(({ chainId }) => chainId);
  expect(ids).toEqual(expect.arrayContaining([1, 10, 56, 100, 137, 8_453, 42_161, 43_114, 59_144, 534_352]));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(wellKnownChains.map(({ key }) => key)).size).toBe(ids.length);
});

describe.each(wellKnownChains)('$name', (chain) => {
  test('has addresses with their checksums, no two alike, and says where they are from', () => {
    const feeds = [chain.feed, ...chain.tokens.map(({ feed }) => feed)];
    // On Gnosis coin and token are one and the same dollar.
    const aggregators = new Set(feeds.map(({ aggregator, of }) => `${aggregator} ${of}`));
    expect(aggregators.size).toBe(new Set(feeds.map(({ of }) => of)).size);
    const tokens = chain.tokens.map(({ address }) => address);
    const sequencer = chain.sequencerFeed === undefined ? [] : [chain.sequencerFeed];
    const all = [...new Set(feeds.map(({ aggregator }) => aggregator)), ...tokens, ...sequencer];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((address) => !isAddress(address, { strict: true }))).toEqual([]);
    for (const sources of [chain.feedSources, ...chain.tokens.map(({ sources }) => sources)]) {
      expect(sources.join()).toMatch(/@[\w-]+\/[\w-]+ \d/);
      expect(new Set(sources).size).toBe(sources.length);
    }
  });

  test('is taken by the configuration as init writes it, with the tokens and without', () => {
    const text = configurationText({ ...parts, chainId: chain.chainId, wellKnown: chain });
    // Its type is that of any JSON.
    const written = expandNames(parse(text, [], { allowTrailingComma: true })).value as ReturnType<typeof parse>;
    expect(configSchema.safeParse(written).error).toBeUndefined();
    const known = Object.values(publishedChains).filter(({ id }) => id === chain.chainId);
    const defaults = configSchema.parse(written).chains?.[0];
    expect(known.map(({ blockExplorers }) => blockExplorers?.default.url)).toContain(defaults?.explorerPageUrl);
    expect(defaults).toMatchObject({ name: chain.name, maxCostPerOperation: expect.any(BigInt) });
    expect(defaults?.sequencerUptime?.feed).toBe(chain.sequencerFeed);
    for (const { address } of chain.tokens) expect(text).toContain(`      //     "address": "${address}"`);
    const tokens = chain.tokens.map(tokenEntry);
    const taken = configSchema.parse({ ...written, chains: [{ ...written.chains[0], tokens }] }).chains?.[0];
    expect(taken?.tokens.map(({ address }) => address)).toEqual(chain.tokens.map(({ address }) => address));
    const ofDollar = [{ kind: 'fixed', usd: '1' }];
    const ofCoin = [
      expect.objectContaining({ aggregator: chain.feed.aggregator }),
      expect.objectContaining({ url: coinbasePrice(chain.coin).url }),
    ];
    expect(taken?.nativePrice.sources).toEqual(hasDollarCoin(chain.chainId) ? ofDollar : ofCoin);
  });

  test('has what init writes uncommented by taking the slashes away', () => {
    const text = configurationText({ ...parts, chainId: chain.chainId, wellKnown: chain });
    const start = text.indexOf('      // "tokens": [');
    expect(start < 0).toBe(chain.tokens.length === 0);
    const open = text.slice(start).replaceAll(/^ {6}\/\/ /gm, '');
    const list = start < 0 ? [] : parse(`{${open.slice(0, open.indexOf('\n]') + 2)}}`).tokens;
    expect(list).toEqual(chain.tokens.map(tokenEntry));
  });

  test('has feeds that the doctor takes for what they are', () => {
    const { chainId } = chain;
    expect(isPriceOf(`${chain.feed.of} / USD`, { chainId })).toBe(true);
    expect(isPriceOf('BTC / USD', { chainId })).toBe(false);
    for (const { symbol, feed } of chain.tokens) {
      expect({ symbol, is: isPriceOf(`${feed.of} / USD`, { chainId, symbol }) }).toEqual({ symbol, is: true });
    }
  });
});
