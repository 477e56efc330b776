import { join } from 'node:path';
import {
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  parseAbi,
  parseEther,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CoreConfig, PriceConfig, TokenConfig } from '../../core/domain/core-config.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import {
  approveCall,
  bundler,
  fillTank,
  mint,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { anyClock } from '../support/service/any-clock.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { quotesAnswer, signedAnswer } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship, maximumOf, quoteFor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const maxAgeSeconds = 3_600;
const unavailable = { httpStatus: 503, code: -32018, reason: 'PRICE_UNAVAILABLE' };
const feedAbi = parseAbi(['function set(int256 answer, uint256 updatedAt)', 'function fallSilent()']);
const salt: Hex = `0x${'00'.repeat(32)}`;

/** A feed with so many decimals: how it is made and where it lands. */
function feedWith(decimals: number): { readonly code: Hex; readonly address: Address } {
  const contract = compileSolidity(join(import.meta.dirname, 'contracts/PriceFeed.sol')).get('PriceFeed');
  if (contract === undefined) throw new Error('There is no PriceFeed.');
  const code = encodeDeployData({ abi: contract.abi, bytecode: contract.creationBytecode, args: [decimals] });
  return { code, address: getCreate2Address({ from: create2Deployer, salt, bytecode: code }) };
}

const nativeFeed = feedWith(8);
const tokenFeed = feedWith(18);
const nativeUsd = (dollars: number) => BigInt(dollars) * 10n ** 8n;
const tokenUsd = (cents: number) => BigInt(cents) * 10n ** 16n;

/** Our clock, which a test sets ahead so that prices are read again. */
let aheadMs = 0;
const now = () => Math.floor((Date.now() + aheadMs) / 1000);

let service: RunningService;
let devnet: Devnet;
let paymaster: LabPaymaster;
let operation: DevUserOperation;

/** The coin and the token with 6 decimals are priced by feeds, the token with 18 stays at its fixed price. */
function withFeeds(config: CoreConfig): CoreConfig {
  const feed = (aggregator: Address): PriceConfig => ({
    sources: [{ kind: 'chainlink', aggregator, maxAgeSeconds }],
    minimumSources: 1,
    maximumDeviationBasisPoints: 200,
  });
  const priced = (token: TokenConfig): TokenConfig =>
    token.decimals === 6 ? { ...token, price: feed(tokenFeed.address) } : token;
  return {
    ...config,
    chains: config.chains.map((chain) => ({
      ...chain,
      nativePrice: feed(nativeFeed.address),
      tokens: chain.tokens.map(priced),
    })),
  };
}

beforeAll(async () => {
  service = await startService({
    clock: { now: () => Date.now() + aheadMs },
    configure: (config) => anyClock(withFeeds(config)),
  });
  devnet = service.devnet;
  await sendInOrder(
    devnet.client,
    bundler,
    [nativeFeed, tokenFeed].map(({ code }) => ({
      description: 'a price feed',
      to: create2Deployer,
      data: concat([salt, code]),
      gas: 2_000_000n,
    })),
  );
  paymaster = await openPaymaster(service, '0.7');
  const wallet = await walletWith(devnet, 0n);
  await chooseWallet(paymaster, wallet);
  await fillTank(devnet, '0.7', wallet, parseEther('10'));
  const built = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
  operation = { ...built, ...plainLimits('undeployed') };
});
afterAll(() => service.close());

/** The ledger is told a price every few minutes, which requests share for five seconds: it is another one from here on. */
async function tell(feed: Address, data: Hex): Promise<void> {
  await sendInOrder(devnet.client, bundler, [{ description: 'a price', to: feed, data, gas: 200_000n }]);
  aheadMs += 6_000;
}

function say(feed: { address: Address }, answer: bigint, updatedAt: number): Promise<void> {
  const args = [answer, BigInt(updatedAt)] as const;
  return tell(feed.address, encodeFunctionData({ abi: feedAbi, functionName: 'set', args }));
}

/** Goes far enough ahead that no price is in a cache, and waits until the service has seen the chain since. */
async function forgetPrices(): Promise<void> {
  aheadMs += 60_000;
  await vi.waitFor(async () => expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200), {
    timeout: 10_000,
  });
}

/** Both feeds say good prices of this moment, and the service has forgotten what it knew. */
async function startFresh(): Promise<void> {
  await forgetPrices();
  await say(nativeFeed, nativeUsd(3_000), now());
  await say(tokenFeed, tokenUsd(125), now());
}

const wishFor = (decimals: number) => ({ token: tokenWith(devnet, decimals).address, calculateGasLimits: false });

async function expectNoPrice(decimals: number): Promise<void> {
  expect(await askQuotes(paymaster.rpcUrl, operation, wishFor(decimals))).toMatchObject(unavailable);
  expect(await askSponsorship(paymaster.rpcUrl, operation, wishFor(decimals))).toMatchObject(unavailable);
}

/** A new account gets a quote, then `meanwhile` happens, then it pays with an allowance of no more than the quote. */
async function payInTokens(meanwhile: () => Promise<void>) {
  const token = tokenWith(devnet, 6);
  const account = newSmartAccount('0.7');
  const spender = devnet.paymasterContracts[devnetFamilies['0.7']];
  const calls = (max: bigint) => [approveCall(token, spender, max), targetCall(devnet, 'increment')];
  const wish = { token: token.address };
  const max = maximumOf(await quoteFor(paymaster.rpcUrl, await nextOperation(devnet, account, calls(1n)), wish));
  await meanwhile();
  const built = await nextOperation(devnet, account, calls(max));
  await mint(devnet, token, built.sender, 10n ** 12n);
  const signed = signedAnswer(await askSponsorship(paymaster.rpcUrl, built, wish));
  return { max, landing: await landAndCompare(devnet, account, withAnswer(built, signed), token) };
}

test('fresh feeds make the rate, whatever their decimals, and a token-paid operation lands at it', async () => {
  await startFresh();
  // 3000 USD a coin at 1.25 USD a token is 2400 tokens a coin; at 2.5 USD it is 1200.
  const small = await quoteFor(paymaster.rpcUrl, operation, wishFor(6));
  expect(BigInt(small.exchangeRate)).toBe(2_400n * 10n ** 6n);
  expect(BigInt((await quoteFor(paymaster.rpcUrl, operation, wishFor(18))).exchangeRate)).toBe(1_200n * 10n ** 18n);

  const { landing, max } = await payInTokens(async () => undefined);
  const plainPrice = (landing.outcome.actualGasCost * 2_400n * 10n ** 6n) / 10n ** 18n;
  expect(landing.tokensPaid).toBeGreaterThan(plainPrice);
  expect(landing.tokensPaid).toBeLessThanOrEqual(max);
  expect(landing.tokenRecipientReceived).toBe(landing.tokensPaid);
});

test('a feed that moves moves the rate', async () => {
  await startFresh();
  expect(BigInt((await quoteFor(paymaster.rpcUrl, operation, wishFor(6))).exchangeRate)).toBe(2_400n * 10n ** 6n);
  await forgetPrices();
  await say(nativeFeed, nativeUsd(1_500), now());
  expect(BigInt((await quoteFor(paymaster.rpcUrl, operation, wishFor(6))).exchangeRate)).toBe(1_200n * 10n ** 6n);
});

test('a quote binds the service while it is valid, although the feed moves, and the operation lands within it', async () => {
  await startFresh();
  const { landing, max } = await payInTokens(async () => {
    await forgetPrices();
    await say(nativeFeed, nativeUsd(30_000), now());
  });
  expect(landing.outcome.success).toBe(true);
  expect(landing.tokensPaid).toBeLessThanOrEqual(max);
});

const badRounds: readonly (readonly [name: string, answer: (good: bigint) => bigint, age: number])[] = [
  ['stale', (good) => good, maxAgeSeconds + 60],
  ['never updated', (good) => good, 1_000_000_000],
  ['zero', () => 0n, 0],
  ['negative', (good) => -good, 0],
  ['of the future', (good) => good, -3_600],
];

describe.each(badRounds)('a price that is %s', (_, answer, age) => {
  test('of the coin stops all token quotes', async () => {
    await startFresh();
    await say(nativeFeed, answer(nativeUsd(3_000)), now() - age);
    await expectNoPrice(6);
    await expectNoPrice(18);
  });

  test('of one token stops this token only', async () => {
    await startFresh();
    await say(tokenFeed, answer(tokenUsd(125)), now() - age);
    await expectNoPrice(6);
    const { feeQuotes } = quotesAnswer(await askQuotes(paymaster.rpcUrl, operation, { calculateGasLimits: false }));
    expect(feeQuotes.map(({ decimal }) => decimal)).toEqual([18]);
  });
});

test('a feed that reverts is no price, and is one again when it answers', async () => {
  await startFresh();
  await tell(nativeFeed.address, encodeFunctionData({ abi: feedAbi, functionName: 'fallSilent' }));
  await expectNoPrice(6);
  await startFresh();
  expect((await askQuotes(paymaster.rpcUrl, operation, wishFor(6))).httpStatus).toBe(200);
});

test('sponsorship needs no price', async () => {
  await startFresh();
  await say(nativeFeed, 0n, now());
  const answer = await askSponsorship(paymaster.rpcUrl, operation, { calculateGasLimits: false });
  expect(answer.httpStatus).toBe(200);
});
