import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOfRate, sponsoredPart } from '../../core/domain/user-share.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { sampleOperation, sampleToken } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { judgeTokenGrain, minTokenCharge } from '../../core/sponsorship/tokens/quote-tokens.ts';

const percent = fc.integer({ min: 1, max: 99 });
const wei = fc.bigInt({ min: 0n, max: 10n ** 30n });
const families = [...paymasterContractFamilies.values()].filter(({ modes }) => modes.includes('ERC20'));

test('the sponsor’s part and the user’s make up the cost, and the sponsor’s is the share to the wei', () => {
  fc.assert(
    fc.property(wei, percent, (cost, share) => {
      const sponsored = sponsoredPart(cost, share);
      const exact = cost * BigInt(100 - share);
      expect(sponsored * 100n - exact).toBeGreaterThanOrEqual(0n);
      expect(sponsored * 100n - exact).toBeLessThan(100n);
      expect(sponsored).toBeLessThanOrEqual(cost);
    }),
  );
});

test('of two shares the larger leaves the sponsor no more', () => {
  fc.assert(
    fc.property(wei, percent, percent, (cost, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(sponsoredPart(cost, more)).toBeLessThanOrEqual(sponsoredPart(cost, less));
      expect(shareOfRate(cost, more)).toBeGreaterThanOrEqual(shareOfRate(cost, less));
    }),
  );
});

describe.each(families.map((family) => [family.name, family] as const))(
  'the maximum of a share with %s',
  (_, family) => {
    test('is never less than the share of the whole, and more by a base unit for 10^18 wei at most', () => {
      const gas = fc.bigInt({ min: 21_000n, max: 3_000_000n });
      const price = fc.bigInt({ min: 1n, max: 10n ** 12n });
      const rate = fc.bigInt({ min: 1n, max: 10n ** 38n });
      fc.assert(
        fc.property(gas, price, rate, percent, (callGasLimit, maxFeePerGas, exchangeRate, share) => {
          const sample = sampleOperation(family);
          const operation = { ...sample, maxFeePerGas, gas: { ...sample.gas, callGasLimit } };
          const most = (at: bigint) => family.maximumTokenCharge(operation, { ...sampleToken, exchangeRate: at });
          const part = most(shareOfRate(exchangeRate, share));
          const whole = most(exchangeRate);
          expect(part).toBeGreaterThanOrEqual((whole * BigInt(share)) / 100n);
          expect(part).toBeLessThanOrEqual((whole * BigInt(share) + 99n) / 100n + most(1n));
          expect(part).toBeGreaterThan(0n);
        }),
      );
    });

    test('must come to 20 base units by itself, however much the whole is', () => {
      const token = { symbol: 'COARSE', decimals: 2 } as Parameters<typeof judgeTokenGrain>[0];
      fc.assert(
        fc.property(fc.bigInt({ min: 1n, max: 10n ** 22n }), percent, (exchangeRate, share) => {
          const operation = sampleOperation(family);
          const signedTerms = { ...sampleToken, exchangeRate: shareOfRate(exchangeRate, share) };
          const charged = { family, operation, signedTerms, fees: undefined };
          const isFine = judgeTokenGrain(token, charged).ok;
          const whole = judgeTokenGrain(token, { ...charged, signedTerms: { ...sampleToken, exchangeRate } });
          if (isFine) expect(whole.ok).toBe(true);
          if (isFine) expect(family.maximumTokenCharge(operation, signedTerms)).toBeGreaterThanOrEqual(minTokenCharge);
        }),
      );
    });
  },
);
