import fc from 'fast-check';
import { maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainnetPrices } from '../../core/domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { postOpCharge } from '../../core/evm/paymaster-contracts/family/terms.ts';
import { singletonValidationGas } from '../../core/evm/paymaster-contracts/singleton/singleton-terms.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { madeUpUnits } from '../support/chain/made-up-prices.ts';
import { mintTo } from '../support/paymaster-contracts/send-sponsored.ts';
import { singleton07Abi } from '../support/paymaster-contracts/singleton-abi.ts';
import {
  type SingletonLab,
  singletonContract,
  singletonFamily,
  singletonVersions,
  startSingletonLab,
  termsOf,
} from '../support/paymaster-contracts/singleton-lab.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

let lab: SingletonLab;
const payer = privateKeyToAccount(`0x${'7b'.repeat(32)}`);
beforeAll(async () => {
  lab = await startSingletonLab();
  const { client } = lab.devnet;
  await client.setBalance({ address: payer.address, value: 10n ** 18n });
  await mintTo(lab, tokenAddress(), payer.address);
  for (const version of singletonVersions) {
    const { address } = singletonContract(lab.devnet, version);
    const call = {
      address: tokenAddress(),
      abi: devTokenAbi,
      functionName: 'approve',
      args: [address, maxUint256],
    } as const;
    const hash = await client.writeContract({ account: payer, chain: client.chain, ...call });
    await client.waitForTransactionReceipt({ hash });
  }
});
afterAll(() => lab.close());

function tokenAddress() {
  const token = lab.devnet.tokens[1];
  if (token === undefined) throw new Error('the chain has no token');
  return token.address;
}

const limit = fc.bigInt({ min: 0n, max: 5_000_000n });
const fee = fc.bigInt({ min: 1n, max: 10n ** 12n });
/** A part of a whole, in millionths, often the whole. */
const share = fc.oneof(fc.constant(1_000_000n), fc.bigInt({ min: 0n, max: 1_000_000n }));

describe.each(singletonVersions)('what singleton %s charges in tokens', (version) => {
  const family = singletonFamily(version);
  const paymasterLimit = version === '0.6' ? fc.constant(0n) : limit;
  const operations: fc.Arbitrary<UserOperationWithGas> = fc.record({
    entryPointVersion: fc.constant(version),
    sender: fc.constant(payer.address),
    nonce: fc.constant(0n),
    initCode: fc.constant('0x'),
    callData: fc.constant('0x'),
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
    signature: fc.constant('0x'),
    gas: fc.record({
      callGasLimit: limit,
      verificationGasLimit: limit,
      preVerificationGas: limit,
      paymasterVerificationGasLimit: paymasterLimit,
      paymasterPostOpGasLimit: paymasterLimit,
    }),
  });
  const rates = fc.bigInt({ min: 1n, max: 10n ** 24n });
  /** What is signed, with a signature of no signer. A stub has a fee that nothing signed has. */
  const finalData = (operation: UserOperationWithGas, signedTerms: SignedTerms) => {
    const { unsigned } = family.prepare(singletonContract(lab.devnet, version), operation, signedTerms);
    return family.assemble(unsigned, stubSignature);
  };

  test('is never above the maximum, whatever cost within the prefund the EntryPoint names', async () => {
    await fc.assert(
      fc.asyncProperty(operations, rates, share, share, async (operation, rate, costShare, feeShare) => {
        const signedTerms = termsOf('ERC20', tokenAddress(), lab.devnet.tokenRecipient, rate);
        const { context } = await lab.validate(operation, finalData(operation, signedTerms));
        const feePerGas = (operation.maxFeePerGas * feeShare) / 1_000_000n || 1n;
        const cost = ((family.worstCase(operation, signedTerms) * costShare) / 1_000_000n / feePerGas) * feePerGas;
        const charge = await lab.chargeOf(version, context, cost, feePerGas);
        expect(charge).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
      }),
      { numRuns: repeatsOfRun(20, 60) },
    );
  });

  test('is the maximum except for rounding when the whole prefund is used at the highest fee', async () => {
    await fc.assert(
      fc.asyncProperty(operations, rates, async (operation, rate) => {
        // With equal fees the 0.6 contract takes exactly the highest.
        const highest = { ...operation, maxPriorityFeePerGas: operation.maxFeePerGas };
        const signedTerms = termsOf('ERC20', tokenAddress(), lab.devnet.tokenRecipient, rate);
        const { context } = await lab.validate(highest, finalData(highest, signedTerms));
        const charge = await lab.chargeOf(
          version,
          context,
          family.worstCase(highest, signedTerms),
          highest.maxFeePerGas,
        );
        const maximum = family.maximumTokenCharge(highest, signedTerms);
        expect(maximum - charge).toBeGreaterThanOrEqual(0n);
        expect(maximum - charge).toBeLessThanOrEqual(1n);
      }),
      { numRuns: repeatsOfRun(8, 20) },
    );
  });

  test('follows the formula the contract publishes', async () => {
    const { address } = singletonContract(lab.devnet, version);
    await fc.assert(
      fc.asyncProperty(operations, rates, share, async (operation, rate, costShare) => {
        const signedTerms = termsOf('ERC20', tokenAddress(), lab.devnet.tokenRecipient, rate);
        const cost = (family.worstCase(operation, signedTerms) * costShare) / 1_000_000n;
        const published = await lab.devnet.client.readContract({
          address,
          abi: singleton07Abi,
          functionName: 'getCostInToken',
          args: [cost, postOpCharge(mainnetPrices), operation.maxFeePerGas, rate],
        });
        expect(published).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
      }),
      { numRuns: repeatsOfRun(8, 20) },
    );
  });

  test('is nothing when the application pays', () => {
    const [operation] = fc.sample(operations, 1);
    if (operation === undefined) throw new Error('no sample');
    const signedTerms = termsOf('SPONSORED', tokenAddress(), lab.devnet.tokenRecipient);
    expect(family.maximumTokenCharge(operation, signedTerms)).toBe(0n);
  });
});

test('the validation gas named to the contract is not above the postOp gas, which the bound needs', () => {
  for (const prices of [mainnetPrices, gasSchedules.glamsterdam, madeUpUnits]) {
    expect(singletonValidationGas(prices)).toBeLessThanOrEqual(postOpCharge(prices));
  }
});
