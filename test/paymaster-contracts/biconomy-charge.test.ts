import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainnetPrices } from '../../core/domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { requiredPrefund } from '../../core/evm/entry-point/entry-points.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import {
  type BiconomyLab,
  balanceOf,
  customer,
  type DeployedRow,
  depositFor,
  packed,
  startBiconomyLab,
} from '../support/paymaster-contracts/biconomy-lab.ts';
import { type BiconomyRow, biconomyTable, familyOf, openTerms } from '../support/paymaster-contracts/biconomy-table.ts';
import {
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

let lab: BiconomyLab;
beforeAll(async () => {
  lab = await startBiconomyLab();
});
afterAll(() => lab.close());

function rowOf(name: string): BiconomyRow {
  const row = biconomyTable.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
}

const limit = fc.bigInt({ min: 0n, max: 5_000_000n });
const fee = fc.bigInt({ min: 1n, max: 10n ** 12n });
/** A part of a whole, in millionths, often the whole. */
const share = fc.oneof(fc.constant(1_000_000n), fc.bigInt({ min: 0n, max: 1_000_000n }));

function operations(version: '0.6' | '0.7'): fc.Arbitrary<UserOperationWithGas> {
  const paymasterLimit = version === '0.6' ? fc.constant(0n) : limit;
  return fc.record({
    entryPointVersion: fc.constant(version),
    sender: fc.constant(`0x${'11'.repeat(20)}` as const),
    nonce: fc.constant(0n),
    initCode: fc.constant('0x' as const),
    callData: fc.constant('0x' as const),
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
    signature: fc.constant('0x' as const),
    gas: fc.record({
      callGasLimit: limit,
      verificationGasLimit: limit,
      preVerificationGas: limit,
      paymasterVerificationGasLimit: paymasterLimit,
      paymasterPostOpGasLimit: paymasterLimit,
    }),
  });
}

const wallet = `0x${'22'.repeat(20)}` as const;
const token = `0x${'33'.repeat(20)}` as const;
const times = { validUntil: 2_000_000_000, validAfter: 1 };
const rates = fc.bigInt({ min: 1n, max: 10n ** 24n });
const arbitrarySponsoredTerms = (min: number): fc.Arbitrary<SignedTerms> =>
  fc
    .integer({ min: min, max: 2_000_000 })
    .map((priceMarkup) => ({ mode: 'SPONSORED', ...times, fundingWallet: wallet, priceMarkup }));
const arbitraryTokenTerms: fc.Arbitrary<SignedTerms> = rates.map((exchangeRate) => ({
  mode: 'ERC20',
  ...times,
  token,
  exchangeRate,
  tokenRecipient: wallet,
  prices: mainnetPrices,
}));

async function ask({ contract, abi }: DeployedRow, functionName: string, args: unknown[]): Promise<unknown> {
  return lab.devnet.client.readContract({ address: contract.address, abi, functionName, args });
}

describe.each(['biconomy-sponsorship-1.1.0', 'biconomy-sponsorship-packed'])('what %s takes in postOp', (name) => {
  const row = rowOf(name);
  const family = familyOf(row);

  test('is never above the worst case, for any cost within the prefund, gas price and markup', async () => {
    const minMarkup = family.priceMarkups?.min ?? 1_000_000;
    await fc.assert(
      fc.asyncProperty(
        operations('0.6'),
        arbitrarySponsoredTerms(minMarkup),
        share,
        share,
        async (op, signedTerms, cost, price) => {
          const gasPrice = (op.maxFeePerGas * price) / 1_000_000n;
          const actualGasCost = (requiredPrefund(op) * cost) / 1_000_000n;
          const markup = signedTerms.mode === 'SPONSORED' ? signedTerms.priceMarkup : 0;
          const charge = await ask(lab.row(row), 'chargeOf', [actualGasCost, gasPrice, markup]);
          expect(charge).toBeLessThanOrEqual(family.worstCase(op, signedTerms));
          expect(actualGasCost).toBeLessThanOrEqual(family.worstCase(op, signedTerms));
        },
      ),
      { numRuns: repeatsOfRun(13, 40) },
    );
  });
});

describe.each(['biconomy-sponsorship-0.7', 'biconomy-token-0.7'])('what %s takes in validation', (name) => {
  const row = rowOf(name);
  const family = familyOf(row);

  test('is the bound except for rounding when its overhead is the highest', async () => {
    const knownTerms = row.mode === 'SPONSORED' ? arbitrarySponsoredTerms(1_000_000) : arbitraryTokenTerms;
    await fc.assert(
      fc.asyncProperty(operations('0.7'), knownTerms, async (operation, signedTerms) => {
        const paymaster = lab.row(row);
        const data = family.stub(paymaster.contract, operation, signedTerms);
        const args = [packed(operation, data), requiredPrefund(operation)];
        const answer = await ask(paymaster, 'preChargeOf', args);
        const parts = (Array.isArray(answer) ? answer : [answer]) as bigint[];
        const taken = parts.reduce((sum, part) => sum + part, 0n);
        const bound =
          row.mode === 'SPONSORED'
            ? family.worstCase(operation, signedTerms)
            : family.maximumTokenCharge(operation, signedTerms);
        expect(bound - taken).toBeGreaterThanOrEqual(0n);
        expect(bound - taken).toBeLessThanOrEqual(BigInt(parts.length));
      }),
      { numRuns: repeatsOfRun(13, 40) },
    );
  });
});

describe.each(['biconomy-token-0.6', 'biconomy-token-0.6-packed'])('what %s charges in tokens', (name) => {
  const row = rowOf(name);
  const family = familyOf(row);

  test('is never above the maximum while the bundler pays no more per gas than the operation', async () => {
    await fc.assert(
      fc.asyncProperty(
        operations('0.6'),
        arbitraryTokenTerms,
        share,
        share,
        async (operation, signedTerms, cost, price) => {
          const gasPrice = (operation.maxFeePerGas * price) / 1_000_000n;
          const actualGasCost = (requiredPrefund(operation) * cost) / 1_000_000n;
          const rate = signedTerms.mode === 'ERC20' ? signedTerms.exchangeRate : 0n;
          const charge = await ask(lab.row(row), 'tokenChargeOf', [actualGasCost, gasPrice, rate, 1_000_000]);
          expect(charge).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
        },
      ),
      { numRuns: repeatsOfRun(13, 40) },
    );
  });

  test('is the maximum except for rounding at the highest cost and price', async () => {
    await fc.assert(
      fc.asyncProperty(operations('0.6'), arbitraryTokenTerms, async (operation, signedTerms) => {
        const rate = signedTerms.mode === 'ERC20' ? signedTerms.exchangeRate : 0n;
        const args = [requiredPrefund(operation), operation.maxFeePerGas, rate, 1_000_000];
        const charge = await ask(lab.row(row), 'tokenChargeOf', args);
        const maximum = family.maximumTokenCharge(operation, signedTerms);
        expect(BigInt(String(charge))).toBeGreaterThanOrEqual(maximum - 1n);
      }),
      { numRuns: repeatsOfRun(8, 20) },
    );
  });
});

test('a 0.7 tank with the worst case carries the operation, and one with less does not', async () => {
  const row = rowOf('biconomy-sponsorship-0.7');
  const paymaster = lab.row(row);
  const call = { mode: row.mode, salt: 77n, target: lab.devnet.tokenRecipient, data: '0x' } as const;
  const operation = await newAccountOperation(lab, paymaster, call);
  const signedTerms = openTerms(row.mode, customer(lab).address, token);
  await setDeposit(lab, paymaster, 10n ** 18n);
  const worstCase = paymaster.family.worstCase(operation, signedTerms);
  expect(await balanceOf(lab, paymaster)).toBe(0n);
  await depositFor(lab, paymaster.contract, worstCase - 1n);
  const bundle = await signForBundle(lab, paymaster, operation, signedTerms);
  await expect(tryBundle(lab, operation, bundle)).rejects.toThrow(/AA33|41413333/);
  await depositFor(lab, paymaster.contract, 1n);
  await expect(tryBundle(lab, operation, bundle)).resolves.toBeUndefined();
});

test('a discount does not make the hold smaller than what the EntryPoint can take', () => {
  const family = familyOf(rowOf('biconomy-sponsorship-packed'));
  fc.assert(
    fc.property(operations('0.6'), (operation) => {
      const half: SignedTerms = { mode: 'SPONSORED', ...times, fundingWallet: wallet, priceMarkup: 500_000 };
      expect(family.worstCase(operation, half)).toBeGreaterThanOrEqual(requiredPrefund(operation));
    }),
  );
});
