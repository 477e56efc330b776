import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserOperation } from '../../../core/domain/user-operation.ts';
import { dataGas } from '../../../core/gas/fees/data-fee.ts';

/** The gas for a fee in wei at one price, which both caps of the operation come to. */
function gasFor(wei: bigint, price: bigint) {
  const operation = { maxFeePerGas: price, maxPriorityFeePerGas: price } as UserOperation;
  return dataGas({ kind: 'wei', wei, baseFeePerGas: 0n }, operation);
}

test('the gas for a fee in wei always pays it, and one gas less never does', () => {
  const wei = fc.bigInt({ min: 1n, max: 10n ** 20n });
  const price = fc.bigInt({ min: 10n ** 9n, max: 10n ** 12n });
  fc.assert(
    fc.property(wei, price, price, price, (fee, baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas) => {
      const operation = { maxFeePerGas, maxPriorityFeePerGas } as UserOperation;
      const gas = dataGas({ kind: 'wei', wei: fee, baseFeePerGas }, operation);
      const offered = maxPriorityFeePerGas + baseFeePerGas;
      const paid = offered < maxFeePerGas ? offered : maxFeePerGas;
      if (!gas.ok) throw new Error(gas.refusal.message);
      expect(gas.value * paid).toBeGreaterThanOrEqual(fee);
      expect((gas.value - 1n) * paid).toBeLessThan(fee);
    }),
  );
});

test('a fee that the price divides is paid to the wei', () => {
  const gas = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const price = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(gas, price, (gas, price) => {
      expect(gasFor(gas * price, price)).toEqual({ ok: true, value: gas });
      expect(gasFor(gas * price + 1n, price)).toEqual({ ok: true, value: gas + 1n });
    }),
  );
});

test('no fee takes no gas, even of an operation that pays nothing', () => {
  expect(gasFor(0n, 0n)).toEqual({ ok: true, value: 0n });
  expect(gasFor(0n, 7n)).toEqual({ ok: true, value: 0n });
});

test('a fee in gas is taken as it is, whatever the price', () => {
  const operation = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } as UserOperation;
  expect(dataGas({ kind: 'gas', gas: 123n }, operation)).toEqual({ ok: true, value: 123n });
});

test('a price at which a fee takes more gas than any block has is refused, with the fee', () => {
  const most = 2n ** 40n;
  expect(gasFor(most * 3n, 3n)).toEqual({ ok: true, value: most });
  const refused = (wei: bigint) => ({
    ok: false,
    refusal: {
      reason: 'ESTIMATION_FAILED',
      message: `maxFeePerGas is too low to pay the chain's data fee of ${wei} wei.`,
      field: 'maxFeePerGas',
    },
  });
  expect(gasFor(most * 3n + 1n, 3n)).toEqual(refused(most * 3n + 1n));
});

test('an operation that pays nothing for gas has none for data', () => {
  expect(gasFor(1n, 0n)).toEqual({ ok: true, value: 0n });
});
