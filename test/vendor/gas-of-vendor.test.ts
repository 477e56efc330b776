import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { readVendorFields } from '../../core/node/vendor/create-vendor.ts';

const paymaster: Address = '0x00000000000000000000000000000000DeaDBeef';

/** Whether an answer passes that takes so much gas, where the operator has set the most or has not. */
function isAccepted(gas: number, fork: 'osaka' | 'glamsterdam', maxPaymasterGas?: number): boolean {
  const limit = `0x${(gas / 2).toString(16)}`;
  const answer = {
    paymaster,
    paymasterData: '0x11',
    paymasterVerificationGasLimit: limit,
    paymasterPostOpGasLimit: limit,
  };
  const config = { paymasters: [paymaster], maxPaymasterGas };
  return readVendorFields(answer, { version: '0.7', config, prices: gasSchedules[fork] }) !== undefined;
}

test('another paymaster may use more gas where slots cost more', () => {
  expect(isAccepted(200_000, 'osaka')).toBe(true);
  expect(isAccepted(210_000, 'osaka')).toBe(false);
  expect(isAccepted(316_000, 'glamsterdam')).toBe(true);
  expect(isAccepted(330_000, 'glamsterdam')).toBe(false);
});

test('the operator’s own number for the gas of another paymaster counts on every chain', () => {
  expect(isAccepted(90_000, 'glamsterdam', 100_000)).toBe(true);
  expect(isAccepted(110_000, 'glamsterdam', 100_000)).toBe(false);
});
