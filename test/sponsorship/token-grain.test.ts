import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { sampleOperation, sampleToken } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { expectedTokenCharge, judgeTokenGrain, minTokenCharge } from '../../core/sponsorship/tokens/quote-tokens.ts';

const token = { symbol: 'COARSE', decimals: 2 } as Parameters<typeof judgeTokenGrain>[0];
const gas = fc.bigInt({ min: 21_000n, max: 3_000_000n });
const gasPrice = fc.bigInt({ min: 1n, max: 10n ** 12n });
/** From a coin worth a thousandth of the token's base unit to tokens of 36 decimals. */
const exchangeRate = fc.bigInt({ min: 1n, max: 10n ** 40n });
const worlds = fc.record({ callGasLimit: gas, maxFeePerGas: gasPrice, baseFee: gasPrice, exchangeRate });
type World = { callGasLimit: bigint; maxFeePerGas: bigint; baseFee: bigint; exchangeRate: bigint };

const families = [...paymasterContractFamilies.values()].filter(({ modes }) => modes.includes('ERC20'));

describe.each(families.map((family) => [family.name, family] as const))('a charge in tokens with %s', (_, family) => {
  const charged = ({ callGasLimit, maxFeePerGas, baseFee, exchangeRate: rate }: World) => {
    const sample = sampleOperation(family);
    const operation = { ...sample, maxFeePerGas, maxPriorityFeePerGas: 0n, gas: { ...sample.gas, callGasLimit } };
    return {
      family,
      operation,
      signedTerms: { ...sampleToken, exchangeRate: rate },
      fees: { baseFee, suggestedTip: 0n },
    };
  };

  test('loses at most a twentieth when the contract rounds it down, or is refused', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const expected = expectedTokenCharge(charged(world));
        const judged = judgeTokenGrain(token, charged(world));
        if (judged.ok) expect((expected - 1n) * minTokenCharge).toBeGreaterThanOrEqual(expected * 19n);
        else expect(judged.refusal.reason).toBe('TOKEN_NOT_SUPPORTED');
      }),
    );
  });

  test('is never above the maximum, and no finer by a maxFeePerGas above what the chain asks', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { operation, signedTerms, ...rest } = charged({
          ...world,
          maxFeePerGas: world.maxFeePerGas + world.baseFee,
        });
        const expected = expectedTokenCharge({ operation, signedTerms, ...rest });
        expect(expected).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
        expect(expected).toBe(expectedTokenCharge(charged({ ...world, maxFeePerGas: world.baseFee })));
      }),
    );
  });

  test('stays accepted with more decimals, and is accepted with enough of them', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const finer = charged({ ...world, exchangeRate: world.exchangeRate * 100n });
        if (judgeTokenGrain(token, charged(world)).ok) expect(judgeTokenGrain(token, finer).ok).toBe(true);
        const finest = charged({ ...world, exchangeRate: world.exchangeRate * 10n ** 18n });
        expect(judgeTokenGrain(token, finest).ok).toBe(true);
      }),
    );
  });
});

test('a charge of 19 base units is refused with what to do, and one of 20 is not', () => {
  const charging = (units: bigint) => ({
    family: { maximumTokenCharge: () => units },
    operation: sampleOperation({ entryPointVersion: '0.8' }),
    signedTerms: sampleToken,
    fees: undefined,
  });
  expect(judgeTokenGrain(token, charging(20n)).ok).toBe(true);
  expect(judgeTokenGrain(token, charging(19n))).toMatchObject({
    refusal: {
      reason: 'TOKEN_NOT_SUPPORTED',
      message:
        'COARSE is too coarse for this operation. With 2 decimals, its charge is 19 base units, but it must be at least 20. ' +
        'Use a token with more decimals or a lower value.',
      details: { symbol: 'COARSE', expected: '19', minimum: '20' },
    },
  });
});
