import { describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import type { BundlerLimits } from '../../core/gas/ask-bundler.ts';
import { judgeBundlerLimits } from '../../core/gas/create-gas-estimator.ts';

const own: GasLimits = {
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 60_001n,
  paymasterVerificationGasLimit: 40_000n,
  paymasterPostOpGasLimit: 30_000n,
};
const given: BundlerLimits = { callGasLimit: 110_000n, verificationGasLimit: 210_000n, preVerificationGas: 59_000n };
const most = { callGasLimit: 129_999n, verificationGasLimit: 244_999n, preVerificationGas: 80_001n };
/** 32 % above what our own estimate has without its margin of a tenth, and 10,000 or 5,000 gas. */
const bounds = {
  callGasLimit: { factor: 13_200n, constant: 10_000n },
  verificationGasLimit: { factor: 13_200n, constant: 5_000n },
};

function judge(limits: BundlerLimits, callGasAllowance = 0n) {
  const estimate = {
    limits: own,
    maxPreVerificationGas: most.preVerificationGas,
    givenSuffice: false,
    dataFee: { kind: 'gas', gas: 0n },
    dataGas: 0n,
    nonce: 0n,
    answers: [],
  } as const;
  return judgeBundlerLimits({ callGasAllowance }, estimate, limits, bounds);
}

const useless = (message: string) => ({ kind: 'useless', cause: new Error(message) });

describe('a bundler’s limits', () => {
  test('are taken where they are higher than what was tried, the paymaster’s own ones being ours', () => {
    expect(judge(given)).toEqual({ kind: 'limits', limits: { ...own, ...given } });
  });

  test('are not lower than what was tried, except for what is charged in full', () => {
    const low = { callGasLimit: 99_999n, verificationGasLimit: 1n, preVerificationGas: 50_000n };
    expect(judge(low)).toEqual({ kind: 'limits', limits: { ...own, preVerificationGas: 50_000n } });
  });

  test('are handed out with the room for what cannot be seen yet', () => {
    expect(judge(given, 5_000n)).toEqual({ kind: 'limits', limits: { ...own, ...given, callGasLimit: 115_000n } });
  });

  test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const)(
    'are of no use where %s is a gas above what is signed for our own estimate',
    (field) => {
      expect(judge({ ...given, [field]: most[field] }).kind).toBe('limits');
      const bound = `of ${most[field] + 1n} is above the maximum of ${most[field]} derived from the service's own estimate.`;
      expect(judge({ ...given, [field]: most[field] + 1n })).toEqual(useless(`The bundler's ${field} ${bound}`));
    },
  );

  test('are of no use where no other bundler would take preVerificationGas: below half of ours', () => {
    expect(judge({ ...given, preVerificationGas: 30_000n }).kind).toBe('limits');
    expect(judge({ ...given, preVerificationGas: 29_999n })).toEqual(
      useless("The bundler's preVerificationGas of 29999 is below 30000."),
    );
  });
});
