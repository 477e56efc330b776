import { describe, expect, test } from 'vitest';
import { managementErrors } from '../../contract/errors.ts';
import { PmGetFeeQuoteOrDataResultSchema } from '../../contract/rpc/pm-get-fee-quote-or-data.ts';
import { rpcRefusals } from '../../contract/rpc/refusals.ts';
import type { Core } from '../../core/domain/core.ts';
import { accept, refuse } from '../../core/domain/result/result.ts';
import { authToken, contract, quotes, refusalKind, signed } from '../support/gateway/fake-core.ts';
import { prefix, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';

async function call(core: Partial<Core>) {
  const { url } = await startTestGateway({ core });
  const json = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
  const answer = await send(`${url}${rpcPath}`, 'POST', { json });
  return { ...answer, body: answer.body as { result?: unknown; error?: unknown } };
}

describe('signed paymaster data', () => {
  const common = {
    mode: 'SPONSORED',
    MODE: 'SPONSORED',
    paymasterAndData: signed.paymasterAndData,
    preVerificationGas: '50000',
    verificationGasLimit: 200_000,
    callGasLimit: 100_000,
    validUntil: 1_900_000_000,
    decisionId: 'decision-1',
  };

  test('has the fields and types of the interface', async () => {
    const { body } = await call({ getFeeQuoteOrData: async () => accept(signed) });
    expect(body.result).toStrictEqual(common);
    expect(PmGetFeeQuoteOrDataResultSchema.parse(body.result)).toStrictEqual(common);
  });

  test.each(['0.7', '0.8'] as const)('has the parts too for EntryPoint %s', async (entryPointVersion) => {
    const { body } = await call({ getFeeQuoteOrData: async () => accept({ ...signed, entryPointVersion }) });
    expect(body.result).toStrictEqual({
      ...common,
      paymaster: signed.paymaster,
      paymasterData: '0xaa',
      paymasterVerificationGasLimit: '0x7530',
      paymasterPostOpGasLimit: '0x1',
    });
  });
});

describe('token quotes', () => {
  test('have the fields and types of the interface', async () => {
    const { body } = await call({ getFeeQuoteOrData: async () => accept(quotes) });
    const expected = {
      mode: 'ERC20',
      MODE: 'ERC20',
      paymasterAddress: quotes.paymasterAddress,
      feeQuotes: [
        {
          symbol: 'US"D',
          decimal: 6,
          tokenAddress: contract.address,
          maxGasFee: 0.000001,
          maxGasFeeUSD: 1.500001,
          exchangeRate: Number(123_456_789_012_345_678_901_234_567_890n),
          premiumPercentage: '12.5',
          validUntil: 1_900_000_000,
          logoUrl: 'https://logo.example/usd.png',
        },
      ],
      unsupportedTokens: ['0xDEAD'],
      decisionId: 'decision-2',
    };
    expect(body.result).toStrictEqual(expected);
    expect(PmGetFeeQuoteOrDataResultSchema.parse(body.result)).toStrictEqual(expected);
  });

  test('write numbers without exponent: small fees in full, the rate exact to the last digit', async () => {
    const { text } = await call({ getFeeQuoteOrData: async () => accept(quotes) });
    expect(text).toContain('"maxGasFee":0.000001,');
    expect(text).toContain('"exchangeRate":123456789012345678901234567890,');
  });

  test.each([
    [0, '0'],
    [5, '0.05'],
    [1_000, '10'],
    [1_250, '12.5'],
  ])('write %s basis points as %s', async (premiumBasisPoints, premiumPercentage) => {
    const feeQuotes = quotes.feeQuotes.map((quote) => ({ ...quote, premiumBasisPoints }));
    const { body } = await call({ getFeeQuoteOrData: async () => accept({ ...quotes, feeQuotes }) });
    expect(body.result).toMatchObject({ feeQuotes: [{ premiumPercentage }] });
  });
});

describe('a refusal', () => {
  const expected: Record<string, [code: number, status: number]> = {
    INVALID_PARAMS: [-32602, 400],
    UNAUTHORIZED: [-32011, 401],
    PAYMASTER_PAUSED: [-32013, 422],
    PAYMASTER_RETIRED: [-32013, 422],
    KEY_DISABLED: [-32011, 401],
    ORIGIN_NOT_ALLOWED: [-32011, 401],
    ADDRESS_NOT_ALLOWED: [-32011, 401],
    RPC_METHOD_NOT_ALLOWED: [-32011, 401],
    ENTRY_POINT_NOT_SUPPORTED: [-32012, 422],
    CHAIN_NOT_SUPPORTED: [-32012, 422],
    POLICY_NOT_ACCEPTED: [-32013, 422],
    NO_POLICIES: [-32013, 422],
    CONTRACT_NOT_REGISTERED: [-32013, 422],
    METHOD_NOT_WHITELISTED: [-32013, 422],
    ARGUMENT_NOT_ALLOWED: [-32013, 422],
    CALL_NOT_UNDERSTOOD: [-32013, 422],
    ACCOUNT_NOT_KNOWN: [-32013, 422],
    SENDER_BLOCKED: [-32013, 422],
    LIMIT_EXCEEDED: [-32013, 422],
    GAS_PRICE_TOO_HIGH: [-32013, 422],
    WEBHOOK_REFUSED: [-32013, 422],
    WEBHOOK_UNAVAILABLE: [-32013, 422],
    INSUFFICIENT_FUNDS: [-32014, 422],
    RATE_LIMITED: [-32005, 429],
    ESTIMATION_FAILED: [-32016, 422],
    USER_PAYS_SHARE: [-32017, 422],
    TOKEN_NOT_SUPPORTED: [-32017, 422],
    TOKEN_PAYMENT_FAILS: [-32017, 422],
    PRICE_UNAVAILABLE: [-32018, 503],
    BUDGET_NOT_COUNTED: [-32018, 503],
    CHAIN_UNAVAILABLE: [-32018, 503],
    SIGNER_UNAVAILABLE: [-32018, 503],
    STORE_UNAVAILABLE: [-32018, 503],
    TICKET_REQUIRED: [-32019, 422],
    TICKET_MALFORMED: [-32019, 422],
    TICKET_ALGORITHM_NOT_ALLOWED: [-32019, 422],
    TICKET_KEY_NOT_KNOWN: [-32019, 422],
    TICKET_SIGNATURE_WRONG: [-32019, 422],
    TICKET_FOR_ANOTHER: [-32019, 422],
    TICKET_EXPIRED: [-32019, 422],
    TICKET_NOT_YET_VALID: [-32019, 422],
    TICKET_LIVES_TOO_LONG: [-32019, 422],
    TICKET_NOT_FOR_OPERATION: [-32019, 422],
    TICKET_USED_UP: [-32019, 422],
    TICKET_KEYS_UNAVAILABLE: [-32018, 503],
    BUNDLER_NOT_OFFERED: [-32601, 404],
    OPERATION_NOT_SIGNED: [-32013, 422],
    OPERATION_PENDING: [-32013, 422],
    RELAY_REQUIRED: [-32013, 422],
    RELAY_NOT_ALLOWED: [-32013, 422],
    BUNDLER_REFUSED: [-32500, 422],
    BUNDLER_UNAVAILABLE: [-32018, 503],
  };
  const reasons = (Object.keys(rpcRefusals) as (keyof typeof rpcRefusals)[]).filter((reason) => reason !== 'INTERNAL');

  test.each(reasons)('%s has its code, its HTTP status, and says why', async (reason) => {
    const { status, body } = await call({
      getFeeQuoteOrData: async () =>
        refuse({
          ...refusalKind(reason),
          message: 'because',
          field: 'nonce',
          decisionId: 'd-1',
          details: { aaCode: 'AA23' },
        }),
    });
    const [code, httpStatus] = expected[reason] ?? [];
    expect(status).toBe(httpStatus);
    expect(body.error).toStrictEqual({
      code,
      message: 'because',
      data: { ...refusalKind(reason), field: 'nonce', decisionId: 'd-1', aaCode: 'AA23' },
    });
  });
});

describe('an answer about an operation', () => {
  const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
  const core: Partial<Core> = {
    getFeeQuoteOrData: async () => accept({ ...quotes, decisionId: 'd-1' }),
    sponsorUserOperation: async () => accept({ ...signed, decisionId: 'd-1' }),
    getPaymasterData: async () => accept({ signed: { ...signed, decisionId: 'd-1' }, gasEstimated: false }),
    getPaymasterStubData: async () =>
      refuse({ ...refusalKind('LIMIT_EXCEEDED'), message: 'too much', decisionId: 'd-1', details: {} }),
  };

  test.each([
    ['pm_getFeeQuoteOrData', [{}, {}]],
    ['pm_sponsorUserOperation', [{}, { mode: 'SPONSORED' }]],
    ['pm_sponsorUserOperation', [{}, entryPoint]],
    ['pm_getPaymasterData', [{}, entryPoint, '0x7a69', {}]],
    ['pm_getPaymasterStubData', [{}, entryPoint, '0x7a69', {}]],
  ])('%s %j names its decision in the header x-decision-id, which browsers may read', async (method, params) => {
    const { url } = await startTestGateway({ core });
    const { headers } = await send(`${url}${rpcPath}`, 'POST', { json: { jsonrpc: '2.0', id: 1, method, params } });
    expect(headers['x-decision-id']).toBe('d-1');
    expect(headers['access-control-expose-headers']).toContain('x-decision-id');
  });

  test('of ERC-7677 adds to the fields of the standard only until when the signature is valid', async () => {
    const { url } = await startTestGateway({ core });
    const params = [{}, entryPoint, '0x7a69', {}];
    const json = { jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterData', params };
    const { body } = await send(`${url}${rpcPath}`, 'POST', { json });
    const { paymasterAndData, validUntil } = signed;
    expect((body as { result: object }).result).toStrictEqual({ paymasterAndData, validUntil });
  });
});

test('an outage is one line in the log, however many requests meet it, and one when it is over', async () => {
  const { logger, lines } = createRecordingLogger();
  let isAway = true;
  const away = () => Promise.reject(Object.assign(new Error('no answer'), { name: 'DatabaseLostError' }));
  const getFeeQuoteOrData = async () => (isAway ? await away() : accept(signed));
  const { url } = await startTestGateway({ core: { getFeeQuoteOrData, listPaymasters: away }, logger });
  const json = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
  const ask = () => send(`${url}${rpcPath}`, 'POST', { json });
  for (let turn = 0; turn < 3; turn += 1) await ask();
  await send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken } });
  const said = (level: string) => lines.filter((line) => line.level === level).map(({ message }) => message);
  expect(said('error')).toEqual([
    'The core or its database is unavailable; requests are refused with STORE_UNAVAILABLE',
  ]);
  isAway = false;
  for (let turn = 0; turn < 2; turn += 1) await ask();
  expect(said('info').filter((message) => message === 'The core answers again')).toHaveLength(1);
});

test('an operation that an older core lacks is refused as such on both sides, and is one line in the log', async () => {
  const { logger, lines } = createRecordingLogger();
  const lacking = () => Promise.reject(Object.assign(new Error('secret'), { name: 'CoreOutdatedError' }));
  const { url } = await startTestGateway({ core: { getFeeQuoteOrData: lacking, getOverview: lacking }, logger });
  const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
  const rpc = await send(`${url}${rpcPath}`, 'POST', { json: call });
  const management = await send(`${url}${prefix}/overview`, 'GET', { headers: { authToken } });
  const { status, message } = managementErrors.coreOutdated;
  expect([rpc.status, management.status, management.body]).toStrictEqual([503, 503, { statusCode: status, message }]);
  expect(rpc.body).toMatchObject({ error: { data: { reason: 'STORE_UNAVAILABLE' } } });
  expect(JSON.stringify([rpc.body, management.body])).not.toContain('secret');
  expect(lines.filter(({ level }) => level === 'error').map((line) => line.message)).toStrictEqual([
    'The core runs an earlier version than this gateway; upgrade the core',
  ]);
});

test.each(['CoreUnavailableError', 'DatabaseLostError'])(
  'a %s is an outage: 503 with a time to come back, on both sides',
  async (name) => {
    const away = () => Promise.reject(Object.assign(new Error('secret'), { name }));
    const { url } = await startTestGateway({ core: { getFeeQuoteOrData: away, listPaymasters: away } });
    const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
    const rpc = await send(`${url}${rpcPath}`, 'POST', { json: call });
    const management = await send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken } });
    expect([rpc.status, management.status]).toStrictEqual([503, 503]);
    expect(rpc.body).toMatchObject({ error: { code: -32018, data: { reason: 'STORE_UNAVAILABLE' } } });
    expect([rpc.headers['retry-after'], management.headers['retry-after']]).toStrictEqual(['3', '3']);
    expect(JSON.stringify([rpc.body, management.body])).not.toContain('secret');
  },
);
