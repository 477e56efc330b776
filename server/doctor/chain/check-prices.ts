import { type Address, hexToString, isHex, parseAbi } from 'viem';
import { isLayer2 } from '../../../core/domain/chain-config.ts';
import type { PriceConfig, PriceSourceConfig } from '../../../core/domain/core-config.ts';
import { findFeeModel } from '../../../core/gas/fees/find-fee-model.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { createAgreedPrice } from '../../../core/quotes/agreed-price.ts';
import { createPriceSources, createSequencerCheck } from '../../../core/quotes/create-price-sources.ts';
import { priceSourceName } from '../../../core/quotes/price-source.ts';
import { findWellKnownChain } from '../../chains/well-known-chains.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { systemClock } from '../../system-clock.ts';
import { type Check, type Finding, type Findings, type FindingsAbout, findingsAbout } from '../finding.ts';

/** Names of the same coin in feeds. */
const sameCoin: readonly (readonly string[])[] = [
  ['POL', 'MATIC'],
  ['DAI', 'XDAI'],
];

/** Tokens priced by another symbol. */
const others: Readonly<Record<string, readonly string[]>> = {
  WETH: ['ETH'],
  WBNB: ['BNB'],
  WAVAX: ['AVAX'],
  WXDAI: ['DAI', 'XDAI'],
  WPOL: ['POL', 'MATIC'],
  WMATIC: ['POL', 'MATIC'],
  USDBC: ['USDC'],
  USDT0: ['USDT'],
  'USD₮0': ['USDT'],
  'USD₮': ['USDT'],
};

/**
 * Whether a feed's `description()`, like `ETH / USD`, is the USD price of a token, or without a symbol of the chain's coin.
 * For an unknown chain any coin is accepted. Bridged tokens (`USDC.e`) use the price of the original token.
 */
export function isPriceOf(
  description: string,
  { chainId, symbol }: { readonly chainId: number; readonly symbol?: string | undefined },
): boolean {
  const [base = '', quote = ''] = description
    .toUpperCase()
    .split('/')
    .map((part) => part.trim());
  if (quote !== 'USD') return false;
  if (symbol === undefined) return isCoinOf(base, chainId);
  const name = symbol.toUpperCase().replace(/\.[A-Z]$/, '');
  return name === base || (others[name]?.includes(base) ?? false);
}

function isCoinOf(base: string, chainId: number): boolean {
  const coin = findWellKnownChain(String(chainId))?.feed.of;
  return coin === undefined || coin === base || sameCoin.some((names) => names.includes(coin) && names.includes(base));
}

const descriptionAbi = parseAbi([
  'function description() view returns (string)',
  'function decimals() view returns (uint8)',
]);

/** Checks the prices of a chain: each source separately, whether they agree, and what each feed describes. */
export function checkPrices(chain: ChainSection, client: ChainClient): readonly Check[] {
  const price = (about: string, priced: Priced): Check => ({
    about,
    run: () => lookAt(priced, client, findingsAbout(about)),
  });
  const { chainId } = chain;
  return [
    price(`chain ${chainId}, price of the coin`, {
      chainId,
      config: chain.nativePrice,
      address: undefined,
      decimals: 18,
    }),
    ...chain.tokens.map(({ symbol, address, decimals, price: config }) =>
      price(`chain ${chainId}, price of ${symbol}`, { chainId, symbol, config, address, decimals }),
    ),
    ...checkSequencer(chain, client),
  ];
}

/** The priced asset; a coin has no symbol in the configuration. */
type Priced = {
  readonly chainId: number;
  readonly symbol?: string;
  readonly config: PriceConfig;
  readonly address: Address | undefined;
  readonly decimals: number;
};

async function lookAt(priced: Priced, client: ChainClient, find: FindingsAbout): Promise<readonly Finding[]> {
  const { config, address, decimals } = priced;
  const sourceOf = createPriceSources({ client, clock: systemClock });
  const sources = config.sources.map((source) => sourceOf(source, { address, decimals }));
  const found = await Promise.all(
    config.sources.map(async (source, index) => [
      await readSource(source, sources[index]?.read(), find),
      ...(await readFeed(source, priced, client, find)),
    ]),
  );
  const asset = priced.symbol ?? 'the coin';
  const agreed = await createAgreedPrice({ asset, sources, limits: config, choice: 'lowest' }).read();
  const remedy = 'Fix the sources above, add others that agree, or check that all of them are for the same asset.';
  const verdict = agreed.ok
    ? find.ok('price', `Its sources agree on ${inUsd(agreed.value)} USD.`)
    : find.failure('price-none', agreed.refusal.message, remedy);
  return [...found.flat(), verdict];
}

function inUsd({ value, decimals }: { readonly value: bigint; readonly decimals: number }): string {
  return (Number(value) / 10 ** decimals).toPrecision(6);
}

type Reading = Awaited<ReturnType<ReturnType<ReturnType<typeof createPriceSources>>['read']>>;

async function readSource(
  source: PriceSourceConfig,
  read: Promise<Reading> | undefined,
  find: FindingsAbout,
): Promise<Finding> {
  const name = priceSourceName(source);
  const reading = await read;
  if (reading === undefined || 'price' in reading) return find.ok('price-source', `The source ${name} has a price.`);
  const remedy =
    source.kind === 'chainlink'
      ? 'Check that aggregator is the feed of this chain, and that maxAgeSeconds is above its heartbeat (data.chain.link).'
      : 'Check that the source still exists and its settings are right.';
  return find.warning('price-source', `The source ${name} ${reading.problem}.`, remedy);
}

/** A feed's own description, the only way to tell whether it is the intended one. */
async function readFeed(
  source: PriceSourceConfig,
  { chainId, symbol }: Priced,
  client: ChainClient,
  find: FindingsAbout,
): Promise<readonly Finding[]> {
  if (source.kind !== 'chainlink') return [];
  const contract = { address: source.aggregator, abi: descriptionAbi } as const;
  const [description, decimals] = await Promise.all([
    client.readContract({ ...contract, functionName: 'description' }).catch(() => undefined),
    client.readContract({ ...contract, functionName: 'decimals' }).catch(() => undefined),
  ]);
  if (decimals === undefined) return [];
  if (description === undefined || description.trim() === '') {
    const message = `The feed ${source.aggregator} does not report its pair.`;
    return [find.warning('feed-unnamed', message, 'Compare its address with data.chain.link by hand.')];
  }
  const pair = description.slice(0, 64);
  if (isPriceOf(pair, { chainId, symbol }))
    return [find.ok('feed-pair', `The feed ${source.aggregator} is for ${pair}, with ${decimals} decimals.`)];
  const message = `The feed ${source.aggregator} is for ${pair}, not for ${symbol ?? 'this coin'} in USD.`;
  return [find.failure('feed-pair', message, 'Name the feed of the pair with USD: all prices are in USD.')];
}

function checkSequencer(chain: ChainSection, client: ChainClient): readonly Check[] {
  const { chainId, sequencerUptime } = chain;
  const about = `chain ${chainId}, sequencer`;
  const find = findingsAbout(about);
  if (sequencerUptime === undefined) {
    const isRead = chain.nativePrice.sources.some(({ kind }) => kind !== 'fixed' && kind !== 'http');
    if (!isRead) return [];
    const message =
      'This layer 2 has on-chain prices but no uptime feed, so its prices are used even while its sequencer is down.';
    const remedy = 'Set sequencerUptime if Chainlink has a feed for the chain.';
    const run = async () =>
      isLayer2(await findFeeModel(client, chain)) ? find.warning('sequencer-unset', message, remedy) : [];
    return [{ about, run }];
  }
  const run = async () => {
    // Fields that only the config type has are not used here.
    const outcome = await createSequencerCheck({ chainId, sequencerUptime }, { client, clock: systemClock })();
    if (outcome.ok) return find.ok('sequencer', 'Its uptime feed reports that the sequencer is up.');
    const remedy = `Check that ${sequencerUptime.feed} is the uptime feed of this chain. If it is, wait: no price is used meanwhile.`;
    return find.failure('sequencer', outcome.refusal.message, remedy);
  };
  return [{ about, run }];
}

const tokenAbi = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)']);
/** Return types of tokens older than the standard. */
const oldTokenAbi = parseAbi(['function symbol() view returns (bytes32)']);

type Token = ChainSection['tokens'][number];

/** Checks each token of a chain: that it exists, with the configured decimals and symbol. */
export function checkTokens(chain: ChainSection, client: ChainClient): readonly Check[] {
  return chain.tokens.map((token) => {
    const about = `chain ${chain.chainId}, token ${token.symbol}`;
    return { about, run: () => lookAtToken(token, client, findingsAbout(about)) };
  });
}

async function lookAtToken(token: Token, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const { address } = token;
  const contract = { address, abi: tokenAbi } as const;
  const [code, decimals, symbol] = await Promise.all([
    client.getCode({ address }),
    client.readContract({ ...contract, functionName: 'decimals' }).catch(() => undefined),
    readSymbol(token, client),
  ]);
  if (code === undefined)
    return find.failure(
      'token-missing',
      `There is no contract at ${address}.`,
      'Correct its address, which differs on each chain.',
    );
  if (decimals === undefined)
    return find.failure(
      'token-none',
      `The contract at ${address} has no decimals, so it is not an ERC-20 token.`,
      'Correct its address.',
    );
  if (decimals !== token.decimals) {
    const message = `It has ${decimals} decimals, not ${token.decimals}: users would pay ${decimals > token.decimals ? 'far too little' : 'far too much'}.`;
    return find.failure('token-decimals', message, `If its address is right, set its decimals to ${decimals}.`);
  }
  if (symbol !== undefined && symbol !== token.symbol) {
    const message = `Its symbol is ${symbol.slice(0, 32)}, not ${token.symbol}.`;
    return find.warning('token-symbol', message, 'Check its address. Users are shown the symbol of the configuration.');
  }
  return find.ok('token', `It is at ${address}, with ${decimals} decimals.`);
}

async function readSymbol({ address }: Token, client: ChainClient): Promise<string | undefined> {
  const functionName = 'symbol';
  const asText = await client.readContract({ address, abi: tokenAbi, functionName }).catch(() => undefined);
  if (asText !== undefined) return asText;
  const word = await client.readContract({ address, abi: oldTokenAbi, functionName }).catch(() => undefined);
  return isHex(word) ? hexToString(word, { size: 32 }).replaceAll('\0', '') : undefined;
}
