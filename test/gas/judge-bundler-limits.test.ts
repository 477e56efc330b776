import { describe, expect, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { accept, type Result, refuse } from '../../core/domain/result/result.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import type { BundlerLimits } from '../../core/gas/ask-bundler.ts';
import { createBundlerLimitsJudge } from '../../core/gas/create-gas-estimator.ts';
import type { EstimationRequest } from '../../core/gas/estimator.ts';
import type { CheckRequest, CheckResult } from '../../core/gas/simulation/check-operation-runs.ts';

const own: GasLimits = {
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 60_001n,
  paymasterVerificationGasLimit: 40_000n,
  paymasterPostOpGasLimit: 30_000n,
};
const given: BundlerLimits = { callGasLimit: 90_000n, verificationGasLimit: 210_000n, preVerificationGas: 61_000n };
/** The gas that is allowed above a quarter more, from the notes on each. */
const most = { callGasLimit: 275_000n, verificationGasLimit: 400_000n, preVerificationGas: 80_001n };

/** What is made of the limits where a simulation with them ends like this, and what was simulated. */
async function judge(limits: BundlerLimits, tried: Result<CheckResult>, callGasAllowance = 0n) {
  const simulated: CheckRequest[] = [];
  const simulate = async (request: CheckRequest) => {
    simulated.push(request);
    return tried;
  };
  // Nothing of the configuration but the operator's bounds is looked at.
  const judgeLimits = createBundlerLimitsJudge({} as ChainConfig, { simulate });
  const request = { operation: {}, callGasAllowance } as EstimationRequest;
  const estimate = {
    limits: own,
    maxPreVerificationGas: (own.preVerificationGas * 125n) / 100n + 5_000n,
    givenSuffice: false,
    dataFee: { kind: 'gas', gas: 0n },
    dataGas: 0n,
    nonce: 0n,
    answers: [],
  } as const;
  return { verdict: await judgeLimits(request, estimate, limits), simulated };
}

const runs = accept({ success: true });
const useless = (message: string) => ({ kind: 'useless', cause: new Error(message) });

describe('a bundler’s limits', () => {
  test('are taken where the operation runs with them, the paymaster’s own ones being ours', async () => {
    const { verdict } = await judge(given, runs);
    expect(verdict).toEqual({ kind: 'limits', limits: { ...own, ...given } });
  });

  test('are tried without the room for what cannot be seen yet, and handed out with it', async () => {
    const { verdict, simulated } = await judge(given, runs, 5_000n);
    expect(simulated.map(({ operation }) => operation.gas)).toEqual([{ ...own, ...given }]);
    expect(verdict).toEqual({ kind: 'limits', limits: { ...own, ...given, callGasLimit: 95_000n } });
  });

  test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const)(
    'are of no use where %s is a gas above what is signed for our own estimate',
    async (field) => {
      const atMost = await judge({ ...given, [field]: most[field] }, runs);
      expect(atMost.verdict.kind).toBe('limits');
      const { verdict, simulated } = await judge({ ...given, [field]: most[field] + 1n }, runs);
      const bound = `of ${most[field] + 1n} is above the maximum of ${most[field]} derived from the service's own estimate.`;
      expect(verdict).toEqual(useless(`The bundler's ${field} ${bound}`));
      expect(simulated).toEqual([]);
    },
  );

  test('are of no use where no other bundler would take preVerificationGas: below half of ours', async () => {
    expect((await judge({ ...given, preVerificationGas: 30_000n }, runs)).verdict.kind).toBe('limits');
    const { verdict } = await judge({ ...given, preVerificationGas: 29_999n }, runs);
    expect(verdict).toEqual(useless("The bundler's preVerificationGas of 29999 is below 30000."));
  });

  test('are of no use where the call reverts with them', async () => {
    const { verdict } = await judge(given, accept({ success: false, revert: 'none' }));
    expect(verdict).toEqual(
      useless("The operation's call reverts with the bundler's limits but not with the service's."),
    );
  });

  test.each([[{ aaCode: 'AA40' }], [undefined]])(
    'are of no use where the operation fails with them: %o',
    async (details) => {
      const failed = { reason: 'ESTIMATION_FAILED', message: 'It fails.', field: 'sender' } as const;
      const { verdict } = await judge(given, refuse(details === undefined ? failed : { ...failed, details }));
      expect(verdict).toEqual(useless("The operation fails with the bundler's limits but not with the service's."));
    },
  );

  test('are not held against it where the payment fails, as that of a quote does before its approval', async () => {
    const details = { aaCode: 'AA50' };
    const { verdict } = await judge(given, refuse({ reason: 'ESTIMATION_FAILED', message: 'It fails.', details }));
    expect(verdict).toEqual({ kind: 'refused' });
  });

  test('are not held against it where the chain could not be asked', async () => {
    const { verdict } = await judge(given, refuse({ reason: 'CHAIN_UNAVAILABLE', message: 'The node is away.' }));
    expect(verdict).toEqual({ kind: 'refused' });
  });
});
