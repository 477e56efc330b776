import { describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { defaultGasPriceBounds } from '../../core/gas/fees/gas-price-bounds.ts';
import { gasSchedules, readGasSchedule } from '../../core/gas/gas-schedule.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { readP256 } from '../../core/node/p256-precompile.ts';
import { capCost } from '../../core/sponsorship/cost.ts';
import { capOperationGas } from '../../core/sponsorship/gas/cap-operation-gas.ts';
import { callsToMeasure } from '../../core/sponsorship/gas/find-gas-limits.ts';
import { checkGasPrice, checkPriceNearChain, requirePrice } from '../../core/sponsorship/permit/check-gas-price.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
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
    const { result } = await takeStep(capCost, { operation: operationWith(), grant: {}, chain: { config }, contract });
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
    expect((await takeStep(capCost, { operation, grant: {}, chain, contract })).result.ok).toBe(true);
  });
});

describe('the caps on an operation’s gas', () => {
  const caps = { call: 100n, verification: 200n, deployment: 300n };
  const chain = { config: { accounts: { gas: { ANY: caps } } } };
  const contractOf = (entryPointVersion: EntryPointVersion) => ({ family: { entryPointVersion } });

  function cap(callGasLimit: bigint, verificationGasLimit: bigint, initCode: '0x' | '0x01' = '0x') {
    const operation = operationWith({ initCode }, { callGasLimit, verificationGasLimit });
    const profile = { policy: { accounts: 'ANY' } };
    return takeStep(capOperationGas, {
      chain,
      profile,
      operation,
      dataGas: 0n,
      contract: contractOf('0.7'),
      context: {},
    });
  }

  test.each([
    ['0.6', {}, {}, 100_000n, 'accounts.gas.ANY.preVerification'],
    ['0.7', {}, {}, 100_000n, 'accounts.gas.ANY.preVerification'],
    ['0.8', {}, {}, 100_000n, 'accounts.gas.ANY.preVerification'],
    ['0.9', {}, {}, 200_000n, 'accounts.gas.ANY.preVerification'],
    ['0.7', { bundlers: ['0x01'] }, {}, 200_000n, 'accounts.gas.ANY.preVerification'],
    [
      '0.7',
      { accounts: { gas: { ANY: { preVerification: 150_000n } } } },
      {},
      150_000n,
      'accounts.gas.ANY.preVerification',
    ],
    ['0.8', {}, { maxPreVerificationGas: 70_000 }, 70_000n, 'maxPreVerificationGas'],
    ['0.9', {}, { maxPreVerificationGas: 400_000 }, 200_000n, 'accounts.gas.ANY.preVerification'],
  ] as const)('are on preVerificationGas too (%#)', async (version, config, policy, max, limit) => {
    const profile = { policy: { accounts: 'ANY', ...policy } };
    const ask = (preVerificationGas: bigint, dataGas: bigint) => {
      const operation = operationWith({}, { preVerificationGas });
      return takeStep(capOperationGas, {
        chain: { config },
        profile,
        operation,
        dataGas,
        contract: contractOf(version),
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
    [undefined, 100_000n],
    [false, 127_006n],
    [true, 310_606n],
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
        contract: contractOf('0.8'),
      });
    expect((await ask(max)).result.ok).toBe(true);
    expect((await ask(max + 1n)).result.ok).toBe(false);
  });

  test('let through what is just within them, a deployment with more for its validation', async () => {
    expect((await cap(100n, 200n)).result.ok).toBe(true);
    expect((await cap(100n, 300n, '0x01')).result.ok).toBe(true);
  });

  test.each([
    ['0x', {}, 100_000n, 'accounts.gas.KNOWN.moduleVerification'],
    ['0x01', {}, 550_000n, 'accounts.gas.KNOWN.moduleVerification'],
    ['0x', { bundlers: ['0x01'] }, 1_000_000n, 'accounts.gas.KNOWN.verification'],
    [
      '0x',
      { accounts: { gas: { KNOWN: { moduleVerification: 400_000n } } } },
      400_000n,
      'accounts.gas.KNOWN.moduleVerification',
    ],
  ] as const)(
    'give an account that may run modules little to validate with (%#)',
    async (initCode, config, max, limit) => {
      const ask = (verificationGasLimit: bigint, mayRunModules: boolean, over: object = {}) => {
        const operation = operationWith({ initCode }, { verificationGasLimit });
        const profile = { policy: { accounts: 'KNOWN' } };
        const contract = contractOf('0.7');
        return takeStep(capOperationGas, {
          chain: { config },
          profile,
          operation,
          dataGas: 0n,
          contract,
          mayRunModules,
          context: {},
          ...over,
        });
      };
      expect((await ask(max, true)).result.ok).toBe(true);
      expect((await ask(1_000_000n, false)).result.ok).toBe(true);
      expect((await ask(1_000_000n, true, { validatesPlainly: true })).result.ok).toBe(true);
      const refusal = { reason: 'LIMIT_EXCEEDED', field: 'verificationGasLimit', details: { limit } };
      expect((await ask(max + 1n, true)).result).toMatchObject({ refusal });
    },
  );

  describe('of an account that may run modules', () => {
    const call = { target: numberedAddress(0xca), value: 0n, data: '0x' };
    const alone = { made: true, gas: 100_000n };
    // A quarter on top, and 10,000.
    const most = 135_000n;

    function ask(
      callGasLimit: bigint,
      over: object = {},
      { policy = {}, callsAlone = alone, bundlers = undefined as unknown } = {},
    ) {
      return takeStep(capOperationGas, {
        chain: { config: { bundlers } },
        profile: { policy: { ...defaultPolicy, ...policy } },
        operation: operationWith({}, { callGasLimit }),
        dataGas: 0n,
        contract: contractOf('0.7'),
        mayRunModules: true,
        calls: [call],
        seenAccount: { callsAlone },
        grant: { mode: 'SPONSORED' },
        context: {},
        ...over,
      });
    }

    test.each([
      ['measures the calls next to the estimate', false, [call]],
      ['leaves the calls out where the sender ran no modules when it was read last', true, undefined],
    ])('%s', (_, hadNoModules, measured) => {
      const chain = { config: {}, accountReader: { hadNoModules: () => hadNoModules } };
      const callData = encodeAccountCalls('0.7', [{ to: call.target, data: '0x' }]);
      const request = { chain, profile: { policy: defaultPolicy }, calls: [call] };
      const asked = request as unknown as Parameters<typeof callsToMeasure>[0];
      expect(callsToMeasure(asked, operationWith({ callData }))).toEqual(measured);
    });

    test('give the calls what they need without them', async () => {
      expect((await ask(most)).result.ok).toBe(true);
      const { result } = await ask(most + 1n);
      expect(result).toMatchObject({
        refusal: { reason: 'ACCOUNT_NOT_KNOWN', field: 'callGasLimit', details: { asked: '135001', max: '135000' } },
      });
      expect(result.ok ? '' : result.refusal.message).toContain('have the operator name bundlers');
    });

    test('refuse a limit of the client’s that cannot be lowered as too high', async () => {
      const { result } = await ask(most + 1n, { context: { calculateGasLimits: false } });
      expect(result).toMatchObject({ refusal: { reason: 'LIMIT_EXCEEDED', field: 'callGasLimit' } });
    });

    test('take our own estimate where that of a bundler is above', async () => {
      const ownGas = operationWith({}, { callGasLimit: most }).gas;
      const { result } = await ask(most + 1n, { ownGas });
      expect(result).toMatchObject({ value: { operation: { gas: { callGasLimit: most } } } });
    });

    test('count calls for nothing that fail without the account, unless operations that revert are paid for', async () => {
      const callsAlone = { made: false, gas: 100_000n };
      const { result } = await ask(10_001n, {}, { callsAlone });
      expect(result).toMatchObject({ refusal: { reason: 'ACCOUNT_NOT_KNOWN', details: { max: '10000' } } });
      expect(result.ok ? '' : result.refusal.message).toContain('Its calls fail without the code of the sender');
      expect((await ask(10_000n, {}, { callsAlone })).result.ok).toBe(true);
      expect((await ask(most, {}, { callsAlone, policy: { allowRevertingOperations: true } })).result.ok).toBe(true);
    });

    test.each([
      ['another kind of account', { mayRunModules: false }, {}],
      ['calls that are not bound', { calls: undefined }, {}],
      ['named bundlers', {}, { bundlers: [numberedAddress(0xb1)] }],
      ['a policy that takes any account', {}, { policy: { accounts: 'ANY' } }],
      ['a policy that sponsors all calls', {}, { policy: { sponsorAllCalls: true } }],
    ])('do not bind %s', async (_, over, settings) => {
      expect((await ask(900_000n, over, settings)).result.ok).toBe(true);
    });
  });

  test.each([
    ['0x', 150_000n, true],
    ['0x', 149_999n, false],
    [`0x${'1'.padStart(64, '0')}`, 150_000n, false],
  ])(
    'explain what passkeys cost where the precompile answers %s and %d gas is asked: %s',
    async (answer, asked, explains) => {
      const client = { request: async () => answer } as unknown as ChainClient;
      await readP256(client);
      const operation = operationWith({ initCode: '0x' }, { callGasLimit: 100n, verificationGasLimit: asked });
      const { result } = await takeStep(capOperationGas, {
        chain: { ...chain, client },
        profile: { policy: { accounts: 'ANY' } },
        ...{ operation, dataGas: 0n, contract: contractOf('0.7'), context: {} },
      });
      const message = result.ok ? '' : result.refusal.message;
      expect(message).toContain('verificationGasLimit is');
      expect(message.includes('P-256 precompile')).toBe(explains);
    },
  );

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
