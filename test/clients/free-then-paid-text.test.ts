import { expect, test } from 'vitest';
import { freeThenPaidText } from '../../clients/sdk/tokens/free-then-paid-text.ts';

const usdc = (amount: bigint) => ({ amount, symbol: 'USDC', decimals: 6 });

test.each([
  [2, usdc(29_100n), '2 left, then about 0.03 USDC'],
  [0, usdc(1_234_567n), 'about 1.3 USDC'],
  [0, usdc(7n), 'about 0.000007 USDC'],
  [3, undefined, '3 left'],
  [undefined, usdc(29_100n), ''],
  [undefined, undefined, ''],
])('%s left and %o is said as “%s”… upwards to two digits', (left, cost, text) => {
  expect(freeThenPaidText(left, cost)).toBe(text);
});
