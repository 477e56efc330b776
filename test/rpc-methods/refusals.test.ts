import { encodeFunctionData, numberToHex, parseAbi, parseGwei } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { askPaymaster, estimated, foreignEntryPoint } from '../support/service/ask-paymaster.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

const ceiling = parseGwei('500');
let lab: ClientLab;

beforeAll(async () => {
  lab = await openClientLab({
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, maxFeePerGasCeiling: ceiling })),
    }),
  });
}, 60_000);

afterAll(() => lab.close());

const bothMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const;
const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const limits = { callGasLimit: 200_000n, verificationGasLimit: 380_000n, preVerificationGas: 80_000n };

/** An operation that is sponsored. */
async function goodOperation() {
  const calls = [targetCall(lab.devnet, 'increment')];
  return estimated(lab, way(), await nextOperation(lab.devnet, newSmartAccount('0.7'), calls));
}

/** One whose method is not whitelisted. */
async function badOperation() {
  const calls = [targetCall(lab.devnet, 'fail')];
  return { ...(await nextOperation(lab.devnet, newSmartAccount('0.7'), calls)), ...limits };
}

function way() {
  return { version: '0.7', rpcUrl: lab.paymaster('0.7').rpcUrl } as const;
}

describe.each([{ expiryDuration: 59 }, { validForSeconds: 601 }, { expiryDuration: 601 }])(
  'a lifetime of %j',
  (wish) => {
    // Token mode shortens what is too long.
    test.each('expiryDuration' in wish && wish.expiryDuration === 59 ? [{}, { mode: 'ERC20' }] : [{}])(
      'is refused with the range by every method that signs or quotes, %j',
      async (mode) => {
        const operation = toRpcUserOperation(await goodOperation());
        const [token] = lab.devnet.tokens;
        const tokenInfo = { feeTokenAddress: token?.address };
        const context = { mode: 'SPONSORED', sponsorshipInfo: { smartAccountInfo }, tokenInfo, ...mode, ...wish };
        const { entryPoints, chainId } = lab.devnet;
        const at = [entryPoints['0.7'], numberToHex(chainId), context];
        const asked = [
          ...bothMethods.map((method) => [method, [operation, ...at]] as const),
          ['pm_sponsorUserOperation', [operation, entryPoints['0.7'], context]] as const,
          // Their contexts have no `validForSeconds`.
          ...('expiryDuration' in wish
            ? (['pm_getFeeQuoteOrData', 'pm_sponsorUserOperation'] as const).map(
                (method) => [method, [operation, context]] as const,
              )
            : []),
        ];
        for (const [method, params] of asked) {
          const answer = await askRpc(way().rpcUrl, method, [...params]);
          expect(answer).toMatchObject({ code: -32602, reason: 'INVALID_PARAMS' });
          expect(answer.message).toContain('must be from 60 to 600 seconds');
        }
      },
    );
  },
);

describe.each(bothMethods)('%s refuses with HTTP 200', (method) => {
  test.each<[string, object, unknown, { code: number; reason: string }]>([
    ['a method that is not whitelisted', {}, null, { code: -32013, reason: 'METHOD_NOT_WHITELISTED' }],
    ['calls that are not understood', { callData: '0x12345678' }, {}, { code: -32013, reason: 'CALL_NOT_UNDERSTOOD' }],
    [
      'calls that neither the named account nor another one makes',
      { callData: '0x12345678' },
      { sponsorshipInfo: { smartAccountInfo: { name: 'SAFE', version: '1.4.1' } } },
      { code: -32013, reason: 'CALL_NOT_UNDERSTOOD' },
    ],
    [
      'calls that are not understood, with the name of an account that is not known',
      { callData: '0x12345678' },
      { sponsorshipInfo: { smartAccountInfo: { name: 'NONE', version: '1' } } },
      { code: -32602, reason: 'INVALID_PARAMS' },
    ],
    [
      'a token that is not taken',
      {},
      { token: `0x${'11'.repeat(20)}` },
      { code: -32017, reason: 'TOKEN_NOT_SUPPORTED' },
    ],
    ['token mode without a token', {}, { mode: 'ERC20', tokenInfo: {} }, { code: -32602, reason: 'INVALID_PARAMS' }],
    ['an operation without a nonce', { nonce: null }, {}, { code: -32602, reason: 'INVALID_PARAMS' }],
    [
      'the form of 0.6',
      { initCode: `0x${'11'.repeat(20)}` },
      {},
      { code: -32012, reason: 'ENTRY_POINT_NOT_SUPPORTED' },
    ],
  ])('%s', async (_, extra, context, refusal) => {
    const operation = await badOperation();
    const answer = await askPaymaster(lab, method, way(), { operation, context, extra });
    expect(answer).toMatchObject({ httpStatus: 200, ...refusal });
  });

  test('a method that the registered ABI has, by its name', async () => {
    const answer = await askPaymaster(lab, method, way(), { operation: await badOperation() });
    expect(answer.message).toMatch(/^The method fail\(\) of the registered contract 0x\w{40} is not whitelisted/);
  });

  test('data that is too short for a method: of a call, and of the operation', async () => {
    const short = { to: lab.devnet.target.address, value: 0n, data: '0x1234' } as const;
    const operation = { ...(await nextOperation(lab.devnet, newSmartAccount('0.7'), [short])), ...limits };
    const answer = await askPaymaster(lab, method, way(), { operation });
    expect(answer).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED', message: expect.stringContaining('too short') });
    const extra = { callData: '0x1234' };
    const whole = await askPaymaster(lab, method, way(), { operation: await badOperation(), extra });
    expect(whole).toMatchObject({
      reason: 'CALL_NOT_UNDERSTOOD',
      message: expect.stringContaining('it is too short to name a method'),
    });
  });

  test.each([{}, { token: 'devUSD' }])('a gas price above the ceiling, %j', async ({ token }) => {
    const operation = { ...(await goodOperation()), maxFeePerGas: ceiling + 1n };
    const address = lab.devnet.tokens.find(({ symbol }) => symbol === token)?.address;
    const answer = await askPaymaster(lab, method, way(), { operation, context: { token: address } });
    expect(answer).toMatchObject({ httpStatus: 200, code: -32013, reason: 'GAS_PRICE_TOO_HIGH' });
  });

  test('a paymaster without a funding wallet, and one whose tank is empty', async () => {
    const poor = await openPaymaster(lab.service, '0.7');
    const operation = await goodOperation();
    const refusal = { httpStatus: 200, code: -32014, reason: 'INSUFFICIENT_FUNDS' };
    expect(await askPaymaster(lab, method, poor, { operation })).toMatchObject(refusal);
    await chooseWallet(poor, await walletWith(lab.devnet, 0n));
    expect(await askPaymaster(lab, method, poor, { operation })).toMatchObject(refusal);
  });

  test('an apiKey that is not known', async () => {
    const answer = await askPaymaster(
      lab,
      method,
      { version: '0.7', rpcUrl: lab.service.rpcUrl('abcdefghi.3f1c2b7e-5a0d-4c1e-9b52-0d6f7c8a9b10') },
      { operation: await goodOperation() },
    );
    expect(answer).toMatchObject({ httpStatus: 200, code: -32011, reason: 'UNAUTHORIZED' });
  });

  test('another EntryPoint than its own; letters may have any case', async () => {
    const operation = toRpcUserOperation(await goodOperation());
    const chain = numberToHex(lab.devnet.chainId);
    const ask = (entryPoint: string) => askRpc(way().rpcUrl, method, [operation, entryPoint, chain, null]);
    for (const entryPoint of [foreignEntryPoint(lab, '0.7'), '0x', '', 'EntryPoint']) {
      const refusal = { httpStatus: 200, code: -32012, reason: 'ENTRY_POINT_NOT_SUPPORTED' };
      expect(await ask(entryPoint)).toMatchObject(refusal);
    }
    const own = lab.devnet.entryPoints['0.7'];
    expect((await ask(own.toLowerCase())).code).toBeUndefined();
    expect((await ask(own.toUpperCase().replace('X', 'x'))).code).toBeUndefined();
  });

  test.each<[unknown, number, string]>([
    ['0x1', -32012, 'CHAIN_NOT_SUPPORTED'],
    ['one', -32602, 'INVALID_PARAMS'],
    [-31337, -32602, 'INVALID_PARAMS'],
    [1, -32012, 'CHAIN_NOT_SUPPORTED'],
    [null, -32602, 'INVALID_PARAMS'],
  ])('chain id %j', async (chainId, code, reason) => {
    const params = [toRpcUserOperation(await goodOperation()), lab.devnet.entryPoints['0.7'], chainId, null];
    expect(await askRpc(way().rpcUrl, method, params)).toMatchObject({ httpStatus: 200, code, reason });
  });
});

test('a factory that is not on this chain is named', async () => {
  const operation = await nextOperation(lab.devnet, newSmartAccount('0.7'), [targetCall(lab.devnet, 'increment')]);
  const factory = `0x${'fa'.repeat(20)}`;
  const { callGasLimit: _, verificationGasLimit: __, preVerificationGas: ___, ...sent } = toRpcUserOperation(operation);
  const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
  const answer = await askRpc(way().rpcUrl, 'pm_getFeeQuoteOrData', [
    { ...sent, factory },
    { mode: 'SPONSORED', calculateGasLimits: true, sponsorshipInfo: { smartAccountInfo, webhookData: {} } },
  ]);
  expect(answer).toMatchObject({
    reason: 'ESTIMATION_FAILED',
    message: expect.stringMatching(/^There is no contract at 0x(fa){20} on this chain/i),
  });
});

test.each(bothMethods)('%s ignores fields it does not know, and fields that are null', async (method) => {
  const extra = {
    eip7702Auth: null,
    aggregator: null,
    more: { deep: [1] },
    paymasterSignature: '0x',
    paymaster: null,
    paymasterData: null,
    paymasterVerificationGasLimit: null,
    initCode: null,
    paymasterAndData: null,
  };
  const context = { mode: null, sponsorshipInfo: null, tokenInfo: null, token: null, validForSeconds: null, meta: {} };
  const answer = await askPaymaster(lab, method, way(), { operation: await goodOperation(), context, extra });
  expect(answer.code).toBeUndefined();
});

test('a call made in ways that look alike to no account is refused although one of its readings is sponsored', async () => {
  const abi = parseAbi(['function execute(address to, uint256 value, bytes data, uint8 operation)']);
  const { to, data } = targetCall(lab.devnet, 'increment');
  const callData = encodeFunctionData({ abi, args: [to, 0n, data, 1] });
  const answer = await askPaymaster(lab, 'pm_getPaymasterData', way(), {
    operation: { ...(await goodOperation()), callData },
  });
  expect(answer).toMatchObject({ code: -32013, reason: 'CALL_NOT_UNDERSTOOD' });
});

describe('pm_sponsorUserOperation', () => {
  const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };

  test('shows a refusal in the HTTP status with a context as second parameter, and not with an EntryPoint', async () => {
    const operation = toRpcUserOperation(await badOperation());
    const context = { mode: 'SPONSORED', sponsorshipInfo: { smartAccountInfo } };
    const refusal = { code: -32013, reason: 'METHOD_NOT_WHITELISTED' };
    const byContext = await askRpc(way().rpcUrl, 'pm_sponsorUserOperation', [operation, context]);
    expect(byContext).toMatchObject({ httpStatus: 422, ...refusal });
    const byEntryPoint = await askRpc(way().rpcUrl, 'pm_sponsorUserOperation', [
      operation,
      lab.devnet.entryPoints['0.7'],
    ]);
    expect(byEntryPoint).toMatchObject({ httpStatus: 200, ...refusal });
  });

  test.each(entryPointVersions)('answers in hex with estimated limits, whatever was sent (%s)', async (version) => {
    const calls = [targetCall(lab.devnet, 'increment')];
    const operation = await nextOperation(lab.devnet, newSmartAccount(version), calls);
    const absurd = { ...operation, callGasLimit: 9_000_000n, verificationGasLimit: 9_000_000n };
    const params = [
      toRpcUserOperation(absurd),
      lab.devnet.entryPoints[version],
      { sponsorshipPolicyId: lab.policyId(version) },
    ];
    const { result } = await askRpc(lab.paymaster(version).rpcUrl, 'pm_sponsorUserOperation', params);
    const answered = result as Record<string, string>;
    const limitNames = ['callGasLimit', 'preVerificationGas', 'verificationGasLimit'];
    const parts = ['paymaster', 'paymasterData', 'paymasterPostOpGasLimit', 'paymasterVerificationGasLimit'];
    const names = version === '0.6' ? ['paymasterAndData', ...limitNames] : [...parts, ...limitNames];
    expect(Object.keys(answered).sort()).toStrictEqual([...names, 'validUntil'].sort());
    expect(answered.validUntil).toBeGreaterThan(Date.now() / 1_000);
    for (const name of names) expect(answered[name]).toMatch(/^0x[0-9a-fA-F]*$/);
    expect(BigInt(answered.callGasLimit ?? 0)).toBeLessThan(1_000_000n);
  });

  test('says which EntryPoint is the right one', async () => {
    const params = [toRpcUserOperation(await goodOperation()), lab.devnet.entryPoints['0.6']];
    const answer = await askRpc(way().rpcUrl, 'pm_sponsorUserOperation', params);
    expect(answer).toMatchObject({ httpStatus: 200, code: -32012, reason: 'ENTRY_POINT_NOT_SUPPORTED' });
    expect(answer.message).toContain(lab.devnet.entryPoints['0.7']);
  });
});
