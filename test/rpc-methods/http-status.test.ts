import { describe, expect, test } from 'vitest';
import { createFakeCore, refusal } from '../support/gateway/fake-core.ts';
import { rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
const chain = '0x7a69';

/** Methods whose clients look for errors inside an HTTP 200. */
const quiet: [string, unknown[]][] = [
  ['pm_getPaymasterStubData', [{}, entryPoint, chain, null]],
  ['pm_getPaymasterData', [{}, entryPoint, chain, null]],
  ['pm_sponsorUserOperation', [{}, entryPoint]],
  ['zd_sponsorUserOperation', [{ chainId: 31_337, userOp: {}, entryPointAddress: entryPoint }]],
  ['pimlico_getTokenQuotes', [{ tokens: [] }, entryPoint, chain]],
  ['pimlico_getSupportedTokens', []],
  ['pm_supportedEntryPoints', []],
  ['pm_supportedERC20Tokens', [entryPoint]],
  ['pm_validateSponsorshipPolicies', [{}, entryPoint, ['tfp_any']]],
  ['pm_chainId', []],
  ['eth_chainId', []],
];

type Body = { error?: { code: number; message: string; data?: { reason: string } } };

async function ask(url: string, method: string, params: unknown, path = rpcPath) {
  const { status, body, headers } = await send(`${url}${path}`, 'POST', {
    json: { jsonrpc: '2.0', id: 1, method, params },
  });
  return { status, error: (body as Body).error, headers };
}

describe.each(quiet)('%s answers with HTTP 200', (method, params) => {
  const allRefuse = (reason: Parameters<typeof refusal>[0]) => {
    const refuse = async () => refusal(reason);
    return {
      getPaymasterStubData: refuse,
      getPaymasterData: refuse,
      quoteTokenRates: refuse,
      listSupportedTokens: refuse,
      listEntryPoints: refuse,
      describePaymaster: refuse,
      validatePolicies: refuse,
    };
  };

  test.each([
    ['UNAUTHORIZED', -32011],
    ['INSUFFICIENT_FUNDS', -32014],
    ['CHAIN_UNAVAILABLE', -32018],
    ['INTERNAL', -32603],
  ] as const)('the refusal %s', async (reason, code) => {
    const { url } = await startTestGateway({ core: allRefuse(reason) });
    const { status, error } = await ask(url, method, params);
    expect([status, error?.code, error?.data?.reason]).toStrictEqual([200, code, reason]);
  });

  test('a fault of the core', async () => {
    const fail = async () => Promise.reject(new Error('secret cause'));
    const names = Object.keys(allRefuse('INTERNAL'));
    const { url } = await startTestGateway({ core: Object.fromEntries(names.map((name) => [name, fail])) });
    const { status, error } = await ask(url, method, params);
    expect([status, error?.code]).toStrictEqual([200, -32603]);
    expect(error?.message).not.toContain('secret');
  });

  test('an address without a chain', async () => {
    const { url } = await startTestGateway();
    const { status, error } = await ask(url, method, params, '/api/v2/abc/key.1');
    expect([status, error?.code]).toStrictEqual([200, -32012]);
  });

  test('too many requests, and when to come back', async () => {
    const { url } = await startTestGateway({
      core: allRefuse('INSUFFICIENT_FUNDS'),
      limits: { requestsPerSecond: 1, requestBurst: 1 },
    });
    await ask(url, method, params);
    const { status, error, headers } = await ask(url, method, params);
    expect([status, error?.code, error?.data?.reason]).toStrictEqual([200, -32005, 'RATE_LIMITED']);
    expect(headers['retry-after']).toMatch(/^[1-9]/);
  });
});

test.each<[string, unknown, string]>([
  ['pm_getPaymasterData', [{}, entryPoint, chain, []], 'params[3] must be an object'],
  ['pm_getPaymasterData', [{}, entryPoint, chain, { token: 5 }], 'params[3].token must be a string'],
  ['pm_getPaymasterData', [{}, entryPoint, -5], 'params[2] must be a chain id: hex, decimal text or a number'],
  ['pm_getPaymasterData', [{}, {}, chain], 'params[1] must be the address of an EntryPoint'],
  ['pm_getPaymasterStubData', [5, entryPoint, chain], 'params[0] must be an object'],
  [
    'pm_getPaymasterStubData',
    'all',
    'params must be an array of a user operation, an EntryPoint, a chain id and a context',
  ],
  ['pm_sponsorUserOperation', [{}, entryPoint, { validForSeconds: '5' }], 'params[2].validForSeconds must be a number'],
  ['pimlico_getTokenQuotes', [{}, entryPoint, chain], 'params[0].tokens must be an array'],
  [
    'zd_sponsorUserOperation',
    [{ chainId: 'one', userOp: {}, entryPointAddress: entryPoint }],
    'params[0].chainId must be a chain id: hex, decimal text or a number',
  ],
  [
    'zd_sponsorUserOperation',
    [{ chainId: 31_337, userOp: {}, entryPointAddress: entryPoint, gasTokenData: {} }],
    'params[0].gasTokenData.tokenAddress must be a string',
  ],
  ['pimlico_getTokenQuotes', [{ tokens: [5] }, entryPoint, chain], 'params[0].tokens[0] must be a string'],
])('%s with %j names the parameter', async (method, params, message) => {
  const { url } = await startTestGateway();
  const { status, error } = await ask(url, method, params);
  expect([status, error?.code, error?.message]).toStrictEqual([200, -32602, message]);
});

describe('the context becomes', () => {
  const account = { name: 'SAFE', version: '1.4.1' };

  test.each<[unknown, object]>([
    [undefined, { mode: 'SPONSORED' }],
    [null, { mode: 'SPONSORED' }],
    [
      { sponsorshipPolicyId: 'sp', validForSeconds: 61.5 },
      { mode: 'SPONSORED', policyId: 'sp', expiryDuration: 61 },
    ],
    [{ policyId: 'a' }, { mode: 'SPONSORED', policyId: 'a' }],
    [{ policyId: '', sponsorshipPolicyId: null }, { mode: 'SPONSORED' }],
    [{ token: '0xA' }, { mode: 'ERC20', tokenInfo: { feeTokenAddress: '0xA' } }],
    [{ token: '' }, { mode: 'SPONSORED' }],
    [
      { mode: 'ERC20', token: '0xA', tokenInfo: { feeTokenAddress: '0xB' } },
      { mode: 'ERC20', tokenInfo: { feeTokenAddress: '0xB' } },
    ],
    [{ tokenInfo: { feeTokenAddress: '0xB' } }, { mode: 'ERC20', tokenInfo: { feeTokenAddress: '0xB' } }],
    [
      { mode: 'SPONSORED', tokenInfo: {}, expiryDuration: 90, validForSeconds: 5 },
      { mode: 'SPONSORED', tokenInfo: {}, expiryDuration: 90 },
    ],
    [
      { calculateGasLimits: true, sponsorshipInfo: { webhookData: { a: 1 }, smartAccountInfo: account } },
      {
        mode: 'SPONSORED',
        calculateGasLimits: true,
        sponsorshipInfoGiven: true,
        webhookDataJson: '{"a":1}',
        smartAccountInfo: account,
      },
    ],
  ])('%j', async (context, expected) => {
    const seen: unknown[] = [];
    const { url } = await startTestGateway({
      core: {
        ...createFakeCore(),
        getPaymasterData: async (request) => {
          seen.push(request.context);
          return refusal('NO_POLICIES');
        },
      },
    });
    await ask(url, 'pm_getPaymasterData', [{}, entryPoint, chain, context]);
    expect(seen).toStrictEqual([{ sponsorshipInfoGiven: false, ...expected }]);
  });
});
