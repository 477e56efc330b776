import { parseEther } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { type Devnet, type DevnetToken, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fillTank,
  mint,
  newSmartAccount,
  nextOperation,
  plainLimits,
  type SmartAccount,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { type Landing, landAndCompare } from '../support/chain/chain-landing.ts';
import { checkLanding } from '../support/chain/landings.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import {
  maximumOf,
  prefundOf,
  quoteFor,
  sponsor,
  type Wish,
  withAnswer,
} from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** What the account owns, to see that none of it goes. */
const accountCoin = parseEther('3');
/** Base units for 10^18 wei at the development chain's prices: 2000 USD a coin, 1 and 2.5 USD a token. */
const plainRates: Readonly<Record<number, bigint>> = { 6: 2_000n * 10n ** 6n, 18: 800n * 10n ** 18n };
const tankSize = parseEther('50');

let service: RunningService;
let devnet: Devnet;
const paymasters = new Map<EntryPointVersion, LabPaymaster & { wallet: LocalAccount }>();
const costs = new Map<EntryPointVersion, bigint>();

beforeAll(async () => {
  service = await startService({ configure: looseGivenLimitsCheck });
  devnet = service.devnet;
  for (const version of entryPointsOfRun) {
    const wallet = await walletWith(devnet, 0n);
    const paymaster = await openPaymaster(service, version);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, tankSize);
    paymasters.set(version, { ...paymaster, wallet });
  }
});
afterAll(() => service.close());

function paymasterOf(version: EntryPointVersion) {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  return { ...paymaster, address: devnet.paymasterContracts[devnetFamilies[version]] };
}

const gasWays = ['estimated', 'given'] as const;
const combinations = entryPointsOfRun.flatMap((version) => gasWays.map((limits) => ({ version, limits })));
/** Each way of limits with a token of its own first. */
const tokenCombinations = combinations.flatMap((each) =>
  rowsOfRun(each.limits === 'estimated' ? [6, 18] : [18, 6], 1).map((decimals) => ({ ...each, decimals })),
);

/** The account's next operation and how its gas is to be found. */
async function prepare(account: SmartAccount, limits: (typeof gasWays)[number], calls: readonly DevCall[]) {
  const built = await nextOperation(devnet, account, calls);
  await devnet.client.setBalance({ address: built.sender, value: accountCoin });
  const own = plainLimits(built.initCode === '0x' ? 'deployed' : 'undeployed');
  const operation: DevUserOperation = limits === 'given' ? { ...built, ...own } : built;
  return { operation, wish: { calculateGasLimits: limits === 'estimated' } };
}

/** Signs with the service, lands, and checks what holds in both modes. */
async function send(
  account: SmartAccount,
  operation: DevUserOperation,
  wish: Wish,
  expected: { readonly token: DevnetToken; readonly increments: number; readonly quoted: bigint },
): Promise<Landing> {
  const answer = await sponsor(paymasterOf(account.version).rpcUrl, operation, wish);
  if (wish.calculateGasLimits === false) expect(withAnswer(operation, answer)).toMatchObject(limitsOf(operation));
  const signed = withAnswer(operation, answer);
  const landing = await landAndCompare(devnet, account, signed, expected.token);
  const { outcome } = landing;
  expect(outcome.success).toBe(true);
  expect(outcome.paymaster).toBe(paymasterOf(account.version).address);
  expect(landing.paymasterPaid).toBe(outcome.actualGasCost);
  expect(landing.accountPaid).toBe(0n);
  expect(outcome.actualGasCost).toBeLessThanOrEqual(prefundOf(operation, answer));
  costs.set(account.version, (costs.get(account.version) ?? 0n) + outcome.actualGasCost);
  await checkLanding(devnet, {
    family: devnetFamilies[account.version],
    entryPoint: account.version,
    mode: wish.token === undefined ? 'SPONSORED' : 'ERC20',
    outcome,
    calls: { made: BigInt(expected.increments), arrived: landing.increments },
    depositFell: landing.paymasterPaid,
    tokens: { paid: landing.tokensPaid, quoted: expected.quoted },
  });
  return landing;
}

function limitsOf({ callGasLimit, verificationGasLimit, preVerificationGas }: DevUserOperation) {
  return { callGasLimit, verificationGasLimit, preVerificationGas };
}

describe.each(combinations)('EntryPoint $version, SPONSORED, limits $limits', ({ version, limits }) => {
  test('operations land, the tank pays exactly their cost, the user nothing', async () => {
    const once = [targetCall(devnet, 'increment')];
    const thrice = [...once, ...once, ...once];
    const account = newSmartAccount(version);
    const other = newSmartAccount(version);
    // Undeployed with one call, deployed with one, deployed with a batch, undeployed with a batch.
    for (const [sender, calls] of [
      [account, once],
      [account, once],
      [account, thrice],
      [other, thrice],
    ] as const) {
      const { operation, wish } = await prepare(sender, limits, calls);
      const expected = { token: tokenWith(devnet, 6), increments: calls.length, quoted: 0n };
      const landing = await send(sender, operation, wish, expected);
      expect(landing.increments).toBe(BigInt(calls.length));
      expect(landing.tokensPaid).toBe(0n);
      expect(landing.tokenRecipientReceived).toBe(0n);
    }
  });
});

describe.each(tokenCombinations)(
  'EntryPoint $version, ERC20 with $decimals decimals, limits $limits',
  (combination) => {
    const { version, limits, decimals } = combination;

    test('operations land, the user pays tokens within the quote, the token recipient gets them all', async () => {
      const token = tokenWith(devnet, decimals);
      const { address, rpcUrl } = paymasterOf(version);
      const account = newSmartAccount(version);
      const increment = targetCall(devnet, 'increment');

      /** Quotes the operation as it will be, puts the quoted maximum (or what `approved` makes of it) into it, pays it. */
      async function pay(callsWith: (max: bigint) => readonly DevCall[]): Promise<void> {
        const drafted = await prepare(account, limits, callsWith(1n));
        const wish = { ...drafted.wish, token: token.address };
        const quote = await quoteFor(rpcUrl, drafted.operation, wish);
        expect(BigInt(quote.exchangeRate)).toBe(plainRates[decimals]);
        const max = maximumOf(quote);
        const { operation } = await prepare(account, limits, callsWith(max));
        const landing = await send(account, operation, wish, { token, increments: 1, quoted: max });
        expect(landing.increments).toBe(1n);
        expect(landing.tokenRecipientReceived).toBe(landing.tokensPaid);
        expect(landing.tokensPaid).toBeLessThanOrEqual(max);
        // The premium of 10 % is part of the quoted price.
        const atQuotedPrice = (landing.outcome.actualGasCost * BigInt(quote.exchangeRate) * 11n) / (10n * 10n ** 18n);
        expect(landing.tokensPaid).toBeGreaterThanOrEqual(atQuotedPrice);
      }

      const { sender } = await nextOperation(devnet, account, []);
      await mint(devnet, token, sender, 10_000n * 10n ** BigInt(decimals));
      // Undeployed, then deployed, both allowing the paymaster no more than the quote; then one call on an old allowance.
      await pay((max) => [approveCall(token, address, max), increment]);
      await pay((max) => [increment, approveCall(token, address, max)]);
      await pay((max) => [approveCall(token, address, max * 20n), increment]);
      await pay(() => [increment]);
    });
  },
);

test.each(entryPointsOfRun)('the ledger of EntryPoint %s has what the chain took, to the wei', async (version) => {
  const { address, wallet } = paymasterOf(version);
  const settled = costs.get(version) ?? 0n;
  expect(settled).toBeGreaterThan(0n);
  const expected = { funded: tankSize, settled, held: 0n };
  await vi.waitFor(() => expect(readTank(service.config.database, address, wallet.address)).toEqual(expected), {
    timeout: 10_000,
  });
});
