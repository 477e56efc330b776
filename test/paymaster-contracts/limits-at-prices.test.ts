import { describe, expect, test } from 'vitest';
import type { UnitPrices } from '../../core/domain/unit-prices.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { postOpCharge } from '../../core/evm/paymaster-contracts/family/terms.ts';

const mainnet: UnitPrices = {
  newSlot: 22_100n,
  changedSlot: 5_000n,
  coldAccount: 2_600n,
  newAccount: 25_000n,
  codeByte: 200n,
  valueCall: 9_100n,
};
/** Sepolia's since Glamsterdam. */
const sepolia: UnitPrices = {
  newSlot: 110_020n,
  changedSlot: 12_100n,
  coldAccount: 3_000n,
  newAccount: 183_600n,
  codeByte: 1_530n,
  valueCall: 11_400n,
};
/** Round prices of no chain, from which limits can be computed by hand. */
const madeUp: UnitPrices = {
  newSlot: 1_000_000n,
  changedSlot: 100_000n,
  coldAccount: 10_000n,
  newAccount: 0n,
  codeByte: 0n,
  valueCall: 0n,
};

const withoutData = { callData: '0x', initCode: '0x' } as const;

function limitsOf(name: string, mode: 'SPONSORED' | 'ERC20', prices: UnitPrices): readonly [bigint, bigint] {
  const family = paymasterContractFamilies.get(name);
  if (family === undefined) throw new Error(`${name} is not known.`);
  const limits = family.paymasterGasLimits(mode, prices, withoutData);
  return [limits.paymasterVerificationGasLimit, limits.paymasterPostOpGasLimit];
}

/** A tenth more: the margin of every need. */
const withMargin = (need: bigint) => (need * 11n) / 10n;
/** Part of a validation limit in token mode: the contract may check its bundler. */
const lookup = 2_600n;

describe('the limits of a paymaster contract', () => {
  test.each([
    ['pimlico-singleton-0.7', 'SPONSORED', withMargin(25_700n), 1n],
    ['pimlico-singleton-0.7', 'ERC20', withMargin(31_900n) + lookup + 36_000n, withMargin(29_800n) + 19_000n],
    ['tollfree-0.9', 'SPONSORED', withMargin(16_900n), 1n],
    ['tollfree-0.9', 'ERC20', withMargin(17_900n) + lookup + 36_000n, withMargin(22_200n) + 22_200n],
    ['verifying-paymaster-0.7', 'SPONSORED', withMargin(17_400n), 1n],
    ['biconomy-sponsorship-0.7', 'SPONSORED', withMargin(30_400n) + 20_000n, 100_000n],
    ['biconomy-token-0.7', 'ERC20', withMargin(61_000n) + 40_000n, 100_000n],
  ] as const)('are those measured on mainnet with its prices: %s %s', (name, mode, validation, postOp) => {
    expect(limitsOf(name, mode, mainnet)).toEqual([validation, postOp]);
  });

  // The lowest limits that passed on a chain with Sepolia's prices: validation, and postOp with an empty token recipient.
  test.each([
    ['pimlico-singleton-0.7', 'SPONSORED', 33_281n, 0n],
    ['pimlico-singleton-0.8', 'SPONSORED', 32_915n, 0n],
    ['tollfree-0.9', 'SPONSORED', 24_689n, 0n],
    ['verifying-paymaster-0.7', 'SPONSORED', 25_128n, 0n],
    ['biconomy-sponsorship-0.7', 'SPONSORED', 45_748n, 0n],
    ['biconomy-token-0.7', 'ERC20', 165_080n, 0n],
    ['pimlico-singleton-0.7', 'ERC20', 40_922n, 134_288n],
    ['pimlico-singleton-0.8', 'ERC20', 38_729n, 133_629n],
    ['tollfree-0.9', 'ERC20', 25_786n, 129_967n],
  ] as const)('suffice with the prices of Sepolia: %s %s', (name, mode, validation, postOp) => {
    const [paymasterVerificationGasLimit, paymasterPostOpGasLimit] = limitsOf(name, mode, sepolia);
    expect(paymasterVerificationGasLimit).toBeGreaterThanOrEqual(validation);
    expect(paymasterPostOpGasLimit).toBeGreaterThanOrEqual(postOp);
  });

  test('grow by what they change, create and call, whatever a chain charges for it', () => {
    // Taking the prefund from the deposit is a changed slot, and the contract's call the first one.
    expect(limitsOf('verifying-paymaster-0.7', 'SPONSORED', madeUp)).toEqual([withMargin(110_000n + 9_800n), 1n]);
    // A transfer to an empty tokenRecipient: its balance is new, the sender's balance and allowance change.
    const transfer = 1_000_000n + 2n * 100_000n + 10_000n + 1_300n;
    const postOp = withMargin(2n * 100_000n + 10_000n + 17_200n) + 1_000_000n - 10_000n - 500n;
    expect(limitsOf('pimlico-singleton-0.8', 'ERC20', madeUp)).toEqual([
      withMargin(110_000n + 24_300n) + madeUp.coldAccount + transfer,
      postOp,
    ]);
    const ownPostOp = withMargin(2n * 100_000n + 10_000n + 9_600n) + 1_000_000n + 100n;
    expect(limitsOf('tollfree-0.8', 'ERC20', madeUp)).toEqual([
      withMargin(110_000n + 10_300n) + madeUp.coldAccount + transfer,
      ownPostOp,
    ]);
  });

  test.each([
    ['biconomy-sponsorship-1.0.0', { unseen: 8_000n, min: 60_000n }, { unseen: 15_100n, min: 74_200n }],
    ['biconomy-sponsorship-1.1.0', { unseen: 8_000n, min: 60_000n }, { unseen: 15_100n, min: 74_200n }],
    ['biconomy-sponsorship-packed', { unseen: 8_000n, min: 80_000n }, { unseen: 15_100n, min: 94_200n }],
    ['biconomy-token-0.6', { unseen: 20_000n, min: 120_000n }, { unseen: 27_100n, min: 222_120n }],
    ['biconomy-token-0.6-packed', { unseen: 20_000n, min: 120_000n }, { unseen: 27_100n, min: 222_120n }],
  ] as const)('of EntryPoint 0.6 leave room for what a stub does not reach: %s', (name, now, then) => {
    const family = paymasterContractFamilies.get(name);
    expect(family?.verificationGas?.(mainnet)).toEqual(now);
    expect(family?.verificationGas?.(sepolia)).toEqual(then);
  });

  // With Sepolia's prices 42,400 gas were used with a plain token from the EntryPoint's report on, two changed slots in it.
  test('and the gas that a user is charged for it cover what it takes', () => {
    expect(postOpCharge(mainnet)).toBe(45_000n);
    expect(postOpCharge(sepolia)).toBeGreaterThanOrEqual(42_400n + sepolia.changedSlot);
    expect(postOpCharge(madeUp)).toBe(3n * 100_000n + 2n * 10_000n + 24_800n);
  });
});
