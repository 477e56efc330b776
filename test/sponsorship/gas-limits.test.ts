import { describe, expect, test } from 'vitest';
import { accept, refuse } from '../../core/domain/result/result.ts';
import type { EstimationRequest } from '../../core/gas/estimator.ts';
import { checkGivenLimits } from '../../core/sponsorship/gas/check-given-limits.ts';
import {
  addUnseenGas,
  approvalGasAllowance,
  findGasLimits,
  paymasterLimits,
} from '../../core/sponsorship/gas/find-gas-limits.ts';
import { createSimulationTurns } from '../../core/sponsorship/run/simulation-turns.ts';
import { chooseQuotedGas } from '../../core/sponsorship/tokens/keep-quote.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { operationWith, takeStep } from '../support/core/step-lab.ts';

const needed = { paymasterVerificationGasLimit: 100n, paymasterPostOpGasLimit: 10n };

describe('the paymaster’s own limits', () => {
  test.each([
    [
      'are the client’s where they suffice',
      { paymasterVerificationGasLimit: 100n, paymasterPostOpGasLimit: 15n },
      100n,
      15n,
    ],
    [
      'are the client’s up to twice the need',
      { paymasterVerificationGasLimit: 200n, paymasterPostOpGasLimit: 20n },
      200n,
      20n,
    ],
    ['are ours where they are too low', { paymasterVerificationGasLimit: 99n, paymasterPostOpGasLimit: 9n }, 100n, 10n],
    [
      'are ours where they are too high',
      { paymasterVerificationGasLimit: 201n, paymasterPostOpGasLimit: 21n },
      100n,
      10n,
    ],
    ['are ours where there are none', {}, 100n, 10n],
  ])('%s', (_, given, paymasterVerificationGasLimit, paymasterPostOpGasLimit) => {
    expect(paymasterLimits(given, needed)).toEqual({ paymasterVerificationGasLimit, paymasterPostOpGasLimit });
  });
});

const own = { unseen: 50n, min: 500n };

/** Whose turn it is to simulate is no one else's here. */
const asked = {
  parts: { simulations: createSimulationTurns({ now: () => 0 }) },
  request: {},
  profile: { policy: {}, paymaster: { paymasterId: 'pm' } },
};

test('what an estimate does not see of the validation is added to it, up to what the contract needs at least', () => {
  const { gas } = operationWith({}, { verificationGasLimit: 451n });
  expect(addUnseenGas(gas, own)).toEqual({ ...gas, verificationGasLimit: 501n });
  expect(addUnseenGas({ ...gas, verificationGasLimit: 10n }, own).verificationGasLimit).toBe(500n);
  expect(addUnseenGas(gas, { unseen: 0n, min: 0n })).toEqual(gas);
});

describe('limits that the client gives', () => {
  const all = { callGasLimit: 1n, verificationGasLimit: 499n, preVerificationGas: 3n };

  function find(givenGas: object, withoutUnseenGas: 'raise' | 'refuse', verificationGas?: typeof own) {
    const family = {
      paymasterGasLimits: () => needed,
      ...(verificationGas && { verificationGas: () => verificationGas }),
    };
    type Parameter<Index extends 0 | 1> = Parameters<typeof findGasLimits>[Index];
    // What the search looks at.
    const operation = operationWith({});
    const request = { chain: {}, contract: { family }, operation, givenGas } as unknown as Parameter<0>;
    const signedTerms = { mode: 'SPONSORED' } as Parameter<1>['signedTerms'];
    return findGasLimits(request, { calculate: false, signedTerms, callGasAllowance: 0n, withoutUnseenGas });
  }

  test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'])(
    'have to be all there: %s',
    async (field) => {
      const refusal = { reason: 'INVALID_PARAMS', field };
      expect(await find({ ...all, [field]: undefined }, 'refuse')).toMatchObject({ refusal });
    },
  );

  test('are taken as they are, with the paymaster’s own', async () => {
    expect(await find(all, 'refuse')).toMatchObject(accept({ limits: { ...all, ...needed } }));
    const enough = { ...all, verificationGasLimit: 500n };
    expect(await find(enough, 'refuse', own)).toMatchObject(accept({ limits: { ...enough, ...needed } }));
  });

  test('without the contract’s part are refused, or raised where the client is told', async () => {
    const message = expect.stringContaining('at least 500');
    const refusal = { reason: 'INVALID_PARAMS', field: 'verificationGasLimit', message };
    expect(await find(all, 'refuse', own)).toMatchObject({ refusal });
    const limits = { ...all, ...needed, verificationGasLimit: 549n };
    expect(await find(all, 'raise', own)).toMatchObject(accept({ limits }));
  });
});

describe('limits that are too low for the operation', () => {
  const short = refuse({ reason: 'ESTIMATION_FAILED', message: 'short', field: 'verificationGasLimit' });
  const down = refuse({ reason: 'CHAIN_UNAVAILABLE', message: 'away', field: 'verificationGasLimit' });
  const seen = { code: '0x01' };

  /** Limits that suffice from this much for the validation on. */
  async function guard(
    enough: bigint,
    over: { mayRaiseLimits?: boolean; calculateGasLimits?: boolean; own?: typeof own; answer?: unknown } = {},
  ) {
    const check = async ({ operation }: { operation: ReturnType<typeof operationWith> }) =>
      operation.gas.verificationGasLimit >= enough ? accept({ account: seen }) : (over.answer ?? short);
    const family = { paymasterGasLimits: () => needed, verificationGas: () => ('own' in over ? over.own : own) };
    const { result } = await takeStep(checkGivenLimits, {
      operation: operationWith({ entryPointVersion: '0.6' }),
      seenAccount: undefined,
      context: { calculateGasLimits: over.calculateGasLimits ?? false },
      mayRaiseLimits: over.mayRaiseLimits ?? true,
      signedTerms: { mode: 'ERC20', token: '0x70' },
      chain: { config: {}, givenLimitsCheck: { check } },
      contract: { location: { address: '0xc1', entryPoint: '0xe1' }, family },
      ...asked,
    });
    return result.ok ? result.value.operation.gas.verificationGasLimit : result.refusal.reason;
  }

  test('are raised by the contract’s own part where the client gets its limits back', async () => {
    expect(await guard(2_000n)).toBe(2_000n);
    expect(await guard(2_050n)).toBe(2_050n);
    expect(await guard(2_051n)).toBe('ESTIMATION_FAILED');
  });

  test('are refused where it does not, where the contract has no such part, and for any other fault', async () => {
    expect(await guard(2_050n, { mayRaiseLimits: false })).toBe('ESTIMATION_FAILED');
    expect(await guard(2_050n, { own: undefined as never })).toBe('ESTIMATION_FAILED');
    expect(await guard(2_050n, { answer: down })).toBe('CHAIN_UNAVAILABLE');
    const call = refuse({ reason: 'ESTIMATION_FAILED', message: 'short', field: 'callGasLimit' });
    expect(await guard(2_050n, { answer: call })).toBe('ESTIMATION_FAILED');
  });

  test('are not looked at when they are our own estimate', async () => {
    expect(await guard(10n ** 9n, { calculateGasLimits: true })).toBe(2_000n);
  });
});

describe('the limits that quotes are for', () => {
  const [token, tokenRecipient] = [numberedAddress(0x70), numberedAddress(9)];
  const given = { callGasLimit: 1n, verificationGasLimit: 499n, preVerificationGas: 3n };

  /** Asks for quotes at this rate and the next ones, of a contract with a part of its own; what its estimator is asked for. */
  async function quote(calculateGasLimits: boolean | undefined, givenGas: object = given) {
    const estimates: { callGasAllowance: bigint; stubOf: unknown }[] = [];
    const operation = operationWith({ entryPointVersion: '0.6' });
    const estimate = async ({ callGasAllowance, stub }: EstimationRequest) => {
      estimates.push({ callGasAllowance, stubOf: stub(operation) });
      return accept({ limits: operation.gas, answers: [] });
    };
    const family = {
      paymasterGasLimits: () => needed,
      verificationGas: () => own,
      stub: (...[, , signedTerms]: unknown[]) => signedTerms,
    };
    const step = takeStep(chooseQuotedGas, {
      operation,
      givenGas,
      context: { calculateGasLimits },
      window: { validUntil: 200, validAfter: 100 },
      rates: [7n, 8n].map((rateWithPremium) => ({ token: { address: token }, rateWithPremium })),
      chain: { estimator: { estimate } },
      contract: { family, location: { entryPoint: '0xe1' }, tokenRecipient },
      userPercent: 100,
      ...asked,
    });
    const { result, trace } = await step;
    if (!result.ok) return { refusal: result.refusal };
    const { gas, ...rest } = result.value.operation;
    expect({ ...rest, gas: operation.gas }).toEqual(operation);
    return { gas, asked: estimates, checked: trace[0]?.checked };
  }

  test.each([true, undefined])(
    'are estimated (%s), with room for the approval that a client adds',
    async (calculate) => {
      const { gas, asked, checked } = await quote(calculate);
      expect(gas).toMatchObject({ callGasLimit: 1_000n, verificationGasLimit: 2_050n });
      expect(checked).toBe('gas limits estimated by the service');
      // With the data of the first token: those of all tokens cost the same.
      const stubOf = { mode: 'ERC20', token, exchangeRate: 7n, tokenRecipient, validAfter: 100 };
      expect(asked).toMatchObject([{ callGasAllowance: approvalGasAllowance, stubOf }]);
    },
  );

  test('are those that were sent where the client wants so, raised by what it cannot have seen', async () => {
    const { gas, asked, checked } = await quote(false);
    expect(gas).toEqual({ ...given, ...needed, verificationGasLimit: 549n });
    expect(await quote(false, {})).toMatchObject({ refusal: { reason: 'INVALID_PARAMS', field: 'callGasLimit' } });
    expect(checked).toBe('the limits that were sent');
    expect(asked).toEqual([]);
  });
});
