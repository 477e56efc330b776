import { expect, test } from 'vitest';
import { type FailedPayment, tokenPaymentRefusal } from '../../../core/gas/failures/token-payment-refusal.ts';

const paymaster = '0x00000000000000000000000000000000000000aa';
const token = { address: '0x00000000000000000000000000000000000000bb', symbol: 'USDC' } as const;
const failed: FailedPayment = {
  token,
  paymaster,
  needed: 1_000n,
  balance: 1_000n,
  allowance: 1_000n,
  revert: { revert: '0xdeadbeef', revertData: '0xdeadbeef' },
};

test('a payment for which the balance does not suffice names the balance, whatever is approved', () => {
  expect(tokenPaymentRefusal({ ...failed, balance: 999n, allowance: 5n })).toEqual({
    reason: 'TOKEN_PAYMENT_FAILS',
    message: 'The sender has 999 base units of USDC when they are collected; the operation can cost up to 1000.',
    details: { token: token.address, needed: '1000', balance: '999', allowance: '5', lacks: 'balance' },
  });
});

test('a payment for which too little is approved names the paymaster to approve it for', () => {
  expect(tokenPaymentRefusal({ ...failed, allowance: 999n })).toEqual({
    reason: 'TOKEN_PAYMENT_FAILS',
    message: `The sender has approved 999 base units of USDC for the paymaster ${paymaster}; the operation can cost up to 1000.`,
    details: { token: token.address, needed: '1000', balance: '1000', allowance: '999', lacks: 'allowance' },
  });
});

test('a payment that fails although both suffice to the unit says what the token reverts with', () => {
  expect(tokenPaymentRefusal(failed)).toEqual({
    reason: 'TOKEN_PAYMENT_FAILS',
    message: 'USDC cannot be collected from the sender. The transfer reverts with 0xdeadbeef.',
    details: {
      token: token.address,
      needed: '1000',
      balance: '1000',
      allowance: '1000',
      revert: '0xdeadbeef',
      revertData: '0xdeadbeef',
    },
  });
});
