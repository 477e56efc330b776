import { describe, expect, test } from 'vitest';
import { defaultGasPriceBounds } from '../../core/gas/fees/gas-price-bounds.ts';
import { gasSchedules, readGasSchedule } from '../../core/gas/gas-schedule.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { readP256 } from '../../core/node/p256-precompile.ts';
import { capCost } from '../../core/sponsorship/cost.ts';
import { capOperationGas } from '../../core/sponsorship/gas/cap-operation-gas.ts';
import { checkGasPrice, checkPriceNearChain, requirePrice } from '../../core/sponsorship/permit/check-gas-price.ts';
import { priceRelay } from '../../core/sponsorship/relay/price-relay.ts';
import { operationWith, takeStep } from '../support/core/step-lab.ts';
import { unitPriceAnswer } from '../support/estimation/unit-price-answer.ts';

const fees = { baseFee: 100n, suggestedTip: 20n };
const bounds = { ...defaultGasPriceBounds, maxBaseFeeMultiple: 3, maxTipMultiple: 2, minTip: 1n };

function nearChain(maxFeePerGas: bigint, maxPriorityFeePerGas: bigint, over: object = {}) {
  const chain = { config: { chainId: 1, gasPrice: bounds } };
  const operation = operationWith({ maxFeePerGas, maxPriorityFeePerGas });
  return takeStep(checkPriceNearChain, { operation, chain, view: { fees }, ...over });
}

describe('a gas price next to the chain’s', () => {
  test.each([
    ['both as high as they may be', 340n, 40n],
    ['a tip that is cut off by maxFeePerGas', 40n, 9_999n],
  ])('is fine with %s', async (_, fee, tip) => {
    expect((await nearChain(fee, tip)).result.ok).toBe(true);
  });

  test.each([
    ['maxFeePerGas', 341n, 40n, '340'],
    ['maxPriorityFeePerGas', 340n, 41n, '40'],
    ['maxPriorityFeePerGas', 41n, 9_999n, '40'],
  ])('names %s when it is a wei too high', async (field, fee, tip, ceiling) => {
    const { result, trace } = await nearChain(fee, tip);
    expect(result).toMatchObject({ refusal: { reason: 'GAS_PRICE_TOO_HIGH', field, details: { ceiling } } });
    const asked = `maxFeePerGas ${fee} wei and maxPriorityFeePerGas ${tip} wei`;
    const checked = `${asked} with a base fee of 100 wei and a suggested tip of 20 wei`;
    expect(trace).toMatchObject([{ rule: 'chain-gas-price', verdict: 'refused', checked }]);
  });

  test('is not judged while the chain does not tell its own, unless the operator wants no bound', async () => {
    const silent = await nearChain(1n, 1n, { view: {} });
    const message = expect.stringContaining('chain 1 does not report the gas price');
    expect(silent.result).toMatchObject({ refusal: { reason: 'CHAIN_UNAVAILABLE', message } });
    const checked = expect.stringContaining('a base fee of ? wei and a suggested tip of ? wei');
    expect(silent.trace).toMatchObject([{ verdict: 'refused', checked }]);
    const chain = { config: { chainId: 1, gasPrice: 'none' } };
    expect((await nearChain(10n ** 18n, 10n ** 18n, { view: {}, chain })).result.ok).toBe(true);
  });

  test('is needed to relay an operation, whatever bound the operator wants', async () => {
    const chain = { config: { chainId: 1, gasPrice: 'none' } };
    const { result } = await takeStep(priceRelay, { operation: operationWith({}), chain, view: {} });
    const message = expect.stringContaining('Nothing is relayed until it does.');
    expect(result).toMatchObject({ refusal: { reason: 'CHAIN_UNAVAILABLE', message } });
  });

  test('has bounds when the operator says nothing', async () => {
    const { result } = await nearChain(10n ** 18n, 1n, { chain: { config: { chainId: 1 } } });
    expect(result).toMatchObject({ refusal: { reason: 'GAS_PRICE_TOO_HIGH' } });
  });
});

describe('a gas price of 0', () => {
  const take = (view: object, maxFeePerGas = 0n) => {
    const operation = operationWith({ maxFeePerGas, maxPriorityFeePerGas: 0n });
    return takeStep(requirePrice, { operation, view, chain: { config: { chainId: 1 } } });
  };

  test.each([
    ['a price', { fees }],
    ['a base fee alone', { fees: { baseFee: 1n, suggestedTip: 0n } }],
    ['a tip alone', { fees: { baseFee: 0n, suggestedTip: 1n } }],
    ['a price that is not known', {}],
  ])('is refused on a chain with %s', async (_, view) => {
    const { result } = await take(view);
    expect(result).toMatchObject({ refusal: { reason: 'INVALID_PARAMS', field: 'maxFeePerGas' } });
    expect((await take(view, 1n)).result.ok).toBe(true);
  });

  test('is the price of a chain whose gas is free', async () => {
    expect((await take({ fees: { baseFee: 0n, suggestedTip: 0n } })).result.ok).toBe(true);
  });
});

describe('the operator’s ceilings', () => {
  const config = { chainId: 1, maxFeePerGasCeiling: 50n, maxCostPerOperation: 15_000n };

  test.each([
    [50n, true],
    [51n, false],
  ])('on the gas price: %d passes is %s', async (maxFeePerGas, passes) => {
    const { result } = await takeStep(checkGasPrice, { operation: operationWith({ maxFeePerGas }), chain: { config } });
    expect(result.ok).toBe(passes);
    const message = 'maxFeePerGas is 51 wei. At most 50 wei is sponsored on this chain.';
    const refusal = { field: 'maxFeePerGas', message, details: { ceiling: '50' } };
    if (!passes) expect(result).toMatchObject({ refusal });
  });

  test.each([
    [15_000n, true],
    [15_001n, false],
  ])('on what an operation can cost: %d passes is %s', async (worstCase, passes) => {
    const contract = { family: { worstCase: () => worstCase } };
    const { result } = await takeStep(capCost, {
      operation: operationWith(),
      signedTerms: {},
      chain: { config },
      contract,
    });
    if (passes) expect(result).toEqual({ ok: true, value: { gas: 15_000n, worstCase } });
    else
      expect(result).toMatchObject({
        refusal: { limitKind: 'OPERATOR_CAP', details: { max: '15000', asked: '15001' } },
      });
  });

  test('are none where the operator has set none', async () => {
    const chain = { config: { chainId: 1 } };
    const contract = { family: { worstCase: () => 10n ** 30n } };
    const operation = operationWith({ maxFeePerGas: 10n ** 18n });
    expect((await takeStep(checkGasPrice, { operation, chain })).result.ok).toBe(true);
    expect((await takeStep(capCost, { operation, signedTerms: {}, chain, contract })).result.ok).toBe(true);
  });
});

describe('the caps on an operation’s gas', () => {
  const caps = { call: 100n, verification: 200n, deployment: 300n };
  const chain = { config: { accounts: { gas: { ANY: caps } } } };

  function cap(callGasLimit: bigint, verificationGasLimit: bigint, initCode: '0x' | '0x01' = '0x') {
    const operation = operationWith({ initCode }, { callGasLimit, verificationGasLimit });
    const profile = { policy: { accounts: 'ANY' } };
    return takeStep(capOperationGas, {
      chain,
      profile,
      operation,
      dataGas: 0n,
      context: {},
    });
  }

  test.each([
    [{}, {}, 200_000n, 'accounts.gas.ANY.preVerification'],
    [{ accounts: { gas: { ANY: { preVerification: 150_000n } } } }, {}, 150_000n, 'accounts.gas.ANY.preVerification'],
    [{}, { maxPreVerificationGas: 70_000 }, 70_000n, 'maxPreVerificationGas'],
    [{}, { maxPreVerificationGas: 400_000 }, 200_000n, 'accounts.gas.ANY.preVerification'],
  ] as const)('are on preVerificationGas too (%#)', async (config, policy, max, limit) => {
    const profile = { policy: { accounts: 'ANY', ...policy } };
    const ask = (preVerificationGas: bigint, dataGas: bigint) => {
      const operation = operationWith({}, { preVerificationGas });
      return takeStep(capOperationGas, {
        chain: { config },
        profile,
        operation,
        dataGas,
      });
    };
    expect((await ask(max, 0n)).result.ok).toBe(true);
    // What a layer 2 charges for data comes on top, and may double.
    expect((await ask(max + 20_000n, 10_000n)).result.ok).toBe(true);
    expect((await ask(max + 20_001n, 10_000n)).result).toMatchObject({
      refusal: { reason: 'LIMIT_EXCEEDED', field: 'preVerificationGas', details: { limit } },
    });
  });

  test.each([
    [undefined, 200_000n],
    [false, 227_006n],
    [true, 410_606n],
  ])('make room for what an authorization costs more after Glamsterdam (fresh sender: %s)', async (isFresh, max) => {
    const answer = unitPriceAnswer(gasSchedules.glamsterdam);
    const client = { request: async () => answer } as unknown as ChainClient;
    await readGasSchedule(client);
    const authorization =
      isFresh === undefined
        ? {}
        : { paysAuthorization: true as const, ...(isFresh ? { isFreshSender: true as const } : {}) };
    const ask = (preVerificationGas: bigint) =>
      takeStep(capOperationGas, {
        chain: { config: {}, client },
        profile: { policy: { accounts: 'ANY' } },
        operation: operationWith(authorization, { preVerificationGas }),
        dataGas: 0n,
      });
    expect((await ask(max)).result.ok).toBe(true);
    expect((await ask(max + 1n)).result.ok).toBe(false);
  });

  test('let through what is just within them, a deployment with more for its validation', async () => {
    expect((await cap(100n, 200n)).result.ok).toBe(true);
    expect((await cap(100n, 300n, '0x01')).result.ok).toBe(true);
  });

  test.each([
    ['KNOWN', 'osaka', 5_000_000n, 1_000_000n, 3_000_000n],
    ['ANY', 'osaka', 1_000_000n, 500_000n, 1_500_000n],
    // A new slot costs 87,920 more, a new account 158,600 and a byte of code 1,330.
    ['KNOWN', 'glamsterdam', 9_396_000n, 2_758_400n, 6_405_600n],
    ['ANY', 'glamsterdam', 1_879_200n, 1_379_200n, 3_867_800n],
  ] as const)('of %s accounts grow with the prices of %s', async (accounts, fork, call, verification, deployment) => {
    const client = { request: async () => unitPriceAnswer(gasSchedules[fork]) } as unknown as ChainClient;
    await readGasSchedule(client);
    const ask = (callGasLimit: bigint, verificationGasLimit: bigint, initCode: '0x' | '0x01' = '0x') =>
      takeStep(capOperationGas, {
        chain: { config: {}, client },
        profile: { policy: { accounts } },
        operation: operationWith({ initCode }, { callGasLimit, verificationGasLimit }),
        dataGas: 0n,
        context: {},
      });
    expect((await ask(call, verification)).result.ok).toBe(true);
    expect((await ask(call, deployment, '0x01')).result.ok).toBe(true);
    expect((await ask(call + 1n, 0n)).result).toMatchObject({ refusal: { field: 'callGasLimit' } });
    expect((await ask(0n, verification + 1n)).result).toMatchObject({ refusal: { field: 'verificationGasLimit' } });
    expect((await ask(0n, deployment + 1n, '0x01')).result.ok).toBe(false);
  });

  test.each([
    ['0x', true],
    [`0x${'1'.padStart(64, '0')}`, false],
  ])('explain what passkeys cost where the precompile answers %s: %s', async (answer, explains) => {
    const client = { request: async () => answer } as unknown as ChainClient;
    await readP256(client);
    const operation = operationWith({ initCode: '0x' }, { callGasLimit: 100n, verificationGasLimit: 150_000n });
    const { result } = await takeStep(capOperationGas, {
      chain: { ...chain, client },
      profile: { policy: { accounts: 'ANY' } },
      operation,
      dataGas: 0n,
      context: {},
    });
    const message = result.ok ? '' : result.refusal.message;
    expect(message).toContain('verificationGasLimit is');
    expect(message.includes('P-256 precompile')).toBe(explains);
  });

  test.each([
    ['callGasLimit', 101n, 200n, '0x', 'accounts.gas.ANY.call'],
    ['verificationGasLimit', 100n, 201n, '0x', 'accounts.gas.ANY.verification'],
    ['verificationGasLimit', 100n, 301n, '0x01', 'accounts.gas.ANY.deployment'],
  ] as const)('refuse a %s above them, and name the setting', async (field, call, verification, initCode, limit) => {
    const { result, trace } = await cap(call, verification, initCode);
    const refusal = { reason: 'LIMIT_EXCEEDED', limitKind: 'OPERATOR_CAP', field, details: { limit } };
    expect(result).toMatchObject({ refusal });
    expect(trace).toMatchObject([{ rule: 'operation-gas', verdict: 'refused' }]);
  });
});
