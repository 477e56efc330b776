import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CoreConfig, PriceConfig } from '../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { rateWithPremium } from '../../core/quotes/token-rates.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fillTank,
  fundWithTokens,
  mint,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { readSignedTerms } from '../support/paymaster-contracts/signed-terms.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { anyClock } from '../support/service/any-clock.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import {
  askSponsorship,
  maximumOf,
  quoteFor,
  sponsor,
  type Wish,
  withAnswer,
} from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** Premiums of the chain's tokens and of its paymaster contracts, in basis points. */
const tokenPremium = 1_000;
const contractPremium = 250;
/** What a client brings along that does not leave the gas to the service. */
const ownLimits = { callGasLimit: 60_000n, verificationGasLimit: 380_000n, preVerificationGas: 60_000n };

let coinUsd = '2000';
let prices: Server;
let service: RunningService;
let devnet: Devnet;
const paymasters = new Map<EntryPointVersion, LabPaymaster>();

/** Our clock, which a test sets ahead so that prices are read again and quotes end. */
let aheadSeconds = 0;
const now = () => Math.floor(Date.now() / 1_000) + aheadSeconds;

function withPremiumAndPage(config: CoreConfig): CoreConfig {
  const { port } = prices.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const nativePrice: PriceConfig = {
    sources: [{ kind: 'http', url, path: 'usd', maxAgeSeconds: 60, allowHttp: true }],
    minimumSources: 1,
    maximumDeviationBasisPoints: 200,
  };
  return {
    ...config,
    chains: config.chains.map((chain) => ({
      ...chain,
      nativePrice,
      paymasterContracts: chain.paymasterContracts.map((each) => ({ ...each, premiumBasisPoints: contractPremium })),
    })),
  };
}

beforeAll(async () => {
  prices = createServer((_, response) => response.end(`{"usd":${coinUsd}}`)).listen(0, '127.0.0.1');
  await once(prices, 'listening');
  service = await startService({
    clock: { now: () => Date.now() + aheadSeconds * 1_000 },
    configure: (config) => anyClock(withPremiumAndPage(config)),
  });
  devnet = service.devnet;
  for (const version of entryPointVersions) {
    const paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(devnet, 0n);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('20'));
    paymasters.set(version, paymaster);
  }
});
afterAll(async () => {
  await service.close();
  prices.close();
});

function rpcUrlOf(version: EntryPointVersion): string {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  return paymaster.rpcUrl;
}

/** Sets our clock ahead and waits until the service has seen the chain since: what it saw before is too old for it. */
async function pass(seconds: number): Promise<void> {
  aheadSeconds += seconds;
  await vi.waitFor(async () => expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200), {
    timeout: 10_000,
  });
}

/** Lets the coin cost this much from now on, as far as the service knows. */
function setPrice(usd: string): Promise<void> {
  coinUsd = usd;
  return pass(6);
}

/** Base units for 10^18 wei that the signature grants. */
function grantedRate(version: EntryPointVersion, { paymasterAndData }: Pick<DevUserOperation, 'paymasterAndData'>) {
  return readSignedTerms(version, 'ERC20', paymasterAndData).rate;
}

function grantedValidUntil(
  version: EntryPointVersion,
  { paymasterAndData }: Pick<DevUserOperation, 'paymasterAndData'>,
) {
  return readSignedTerms(version, 'ERC20', paymasterAndData).validUntil;
}

const combinations = entryPointsOfRun.flatMap((version) =>
  rowsOfRun([6, 18], 1).map((decimals) => ({ version, decimals })),
);

describe.each(combinations)('EntryPoint $version, a token of $decimals decimals', ({ version, decimals }) => {
  test('a quote is enough for the operation with its allowance in front, whatever the price does', async () => {
    const token = tokenWith(devnet, decimals);
    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    const account = newSmartAccount(version);
    const { sender } = await nextOperation(devnet, account, []);
    await mint(devnet, token, sender, 100_000n * 10n ** BigInt(decimals));

    // Not deployed, then deployed with a used-up allowance; the price rises, then falls.
    for (const after of ['2600', '1500']) {
      await setPrice('2000');
      const plain = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
      const quote = await quoteFor(rpcUrlOf(version), plain, { token: token.address });
      const max = maximumOf(quote);
      await setPrice(after);
      const calls = [approveCall(token, spender, max), targetCall(devnet, 'increment')];
      const { callData } = await nextOperation(devnet, account, calls);
      const answer = await sponsor(rpcUrlOf(version), { ...plain, callData }, { token: token.address });
      const landing = await landAndCompare(devnet, account, withAnswer({ ...plain, callData }, answer), token);
      expect(landing.outcome.success).toBe(true);
      expect(landing.increments).toBe(1n);
      expect(landing.tokensPaid).toBeLessThanOrEqual(max);

      const quotedRate = rateWithPremium(BigInt(quote.exchangeRate), tokenPremium + contractPremium);
      expect(Number(quote.premiumPercentage)).toBe(12.5);
      if (after === '2600') expect(grantedRate(version, answer)).toBe(quotedRate);
      else expect(grantedRate(version, answer)).toBeLessThan(quotedRate);
    }
  });
});

test.each(rowsOfRun(entryPointVersions, 2))(
  'EntryPoint %s: a quote is enough although the approval is lowered to it',
  async (version) => {
    await setPrice('2000');
    const token = tokenWith(devnet, 6);
    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    const account = newSmartAccount(version);
    const { sender } = await nextOperation(devnet, account, []);
    await fundWithTokens(devnet, token, { owner: sender, spender });
    for (let nth = 0; nth < 2; nth += 1) {
      const plain = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
      const max = maximumOf(await quoteFor(rpcUrlOf(version), plain, { token: token.address }));
      const calls = [approveCall(token, spender, max), targetCall(devnet, 'increment')];
      const { callData } = await nextOperation(devnet, account, calls);
      const answer = await sponsor(rpcUrlOf(version), { ...plain, callData }, { token: token.address });
      const landing = await landAndCompare(devnet, account, withAnswer({ ...plain, callData }, answer), token);
      expect(landing).toMatchObject({ increments: 1n, outcome: { success: true } });
      expect(landing.tokensPaid).toBeLessThanOrEqual(max);
    }
  },
);

describe('what is signed for a quoted operation', () => {
  const version = '0.7';
  let account: SmartAccount;
  let wish: Wish & { token: `0x${string}` };

  /** An operation with its own gas limits and a quote for it at 2,000 USD. */
  async function quoted(options: { expiryDuration?: number } = {}) {
    await setPrice('2000');
    account = newSmartAccount(version);
    wish = { token: tokenWith(devnet, 6).address, calculateGasLimits: false, ...options };
    const built = await payingOperation(account);
    const operation = { ...built, ...ownLimits };
    const quote = await quoteFor(rpcUrlOf(version), operation, wish);
    return { operation, quote, rate: rateWithPremium(BigInt(quote.exchangeRate), tokenPremium + contractPremium) };
  }

  /** An operation of an account that can pay in any token. */
  async function payingOperation(payer: SmartAccount): Promise<DevUserOperation> {
    const built = await nextOperation(devnet, payer, [targetCall(devnet, 'increment')]);
    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    for (const token of devnet.tokens) await fundWithTokens(devnet, token, { owner: built.sender, spender });
    return built;
  }

  const ask = (operation: DevUserOperation, change: Partial<Wish> = {}) =>
    askSponsorship(rpcUrlOf(version), operation, { ...wish, ...change });

  test('has the quoted rate when the price has risen, and ends with the quote', async () => {
    const { operation, quote, rate } = await quoted({ expiryDuration: 600 });
    await setPrice('2001');
    const answer = signedAnswer(await ask(operation));
    expect(grantedRate(version, answer)).toBe(rate);
    expect(grantedValidUntil(version, answer)).toBe(quote.validUntil);
  });

  test('still lasts as long as a signature must when the quote is about to end', async () => {
    const { operation, quote, rate } = await quoted({ expiryDuration: 300 });
    await setPrice('2001');
    await pass(quote.validUntil - now() - 20);
    const before = now();
    const answer = signedAnswer(await ask(operation));
    expect(grantedRate(version, answer)).toBe(rate);
    expect(grantedValidUntil(version, answer)).toBeGreaterThanOrEqual(before + 60);
    expect(grantedValidUntil(version, answer)).toBeLessThanOrEqual(now() + 60);
  });

  test('has the lower rate of the moment when the price has fallen', async () => {
    const { operation, rate } = await quoted();
    await setPrice('1000');
    const granted = grantedRate(version, signedAnswer(await ask(operation)));
    expect(granted * 2n).toBe(rate);
  });

  test.each<readonly [string, Partial<DevUserOperation>]>([
    ['more call gas', { callGasLimit: ownLimits.callGasLimit + 1n }],
    ['more verification gas', { verificationGasLimit: ownLimits.verificationGasLimit + 1n }],
    ['more gas before verification', { preVerificationGas: ownLimits.preVerificationGas + 1n }],
  ])('is nothing when it has %s than was quoted, until there is a new quote', async (_, change) => {
    const { operation } = await quoted();
    const costlier = { ...operation, ...change };
    const refused = await ask(costlier);
    expect(refused).toMatchObject({
      httpStatus: 422,
      code: -32013,
      reason: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(/^The operation can cost up to \d+ base units .* Request a new quote\.$/),
    });
    await quoteFor(rpcUrlOf(version), costlier, wish);
    expect(signedAnswer(await ask(costlier)).callGasLimit).toBe(costlier.callGasLimit);
  });

  test('is nothing at a higher gas price than was quoted', async () => {
    const { operation } = await quoted();
    const costlier = { ...operation, maxFeePerGas: (operation.maxFeePerGas * 101n) / 100n };
    expect(await ask(costlier)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    expect(await ask(operation)).toMatchObject({ httpStatus: 200 });
  });

  test('is at the rate of the moment once the quote has ended, in another token, and for another nonce', async () => {
    const { operation, quote, rate } = await quoted();
    await setPrice('4000');
    const otherNonce = { ...operation, nonce: operation.nonce + 2n ** 64n };
    expect(grantedRate(version, signedAnswer(await ask(otherNonce)))).toBe(rate * 2n);
    const otherToken = { token: tokenWith(devnet, 18).address };
    expect(grantedRate(version, signedAnswer(await ask(operation, otherToken)))).toBeGreaterThan(rate * 2n);
    await pass(quote.validUntil - now() + 1);
    expect(grantedRate(version, signedAnswer(await ask(operation)))).toBe(rate * 2n);
  });

  test('is at the rate of the moment without any quote', async () => {
    await setPrice('3000');
    const built = await payingOperation(newSmartAccount(version));
    const answer = signedAnswer(await ask({ ...built, ...ownLimits }));
    expect(grantedRate(version, answer)).toBe(rateWithPremium(3_000_000_000n, tokenPremium + contractPremium));
  });
});
