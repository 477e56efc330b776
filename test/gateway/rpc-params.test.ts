import { describe, expect, test } from 'vitest';
import { apiKey, chainId } from '../support/gateway/fake-core.ts';
import { rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

async function call(method: string, params: unknown) {
  const gateway = await startTestGateway();
  const answer = await send(`${gateway.url}${rpcPath}`, 'POST', { json: { jsonrpc: '2.0', id: 1, method, params } });
  const body = answer.body as { error?: { code: number; message: string; data?: { field?: string } } };
  return { status: answer.status, error: body.error, seen: gateway.core.sponsorshipRequests[0] };
}

const info = { smartAccountInfo: { name: 'BICONOMY', version: '2.0.0' } };

describe('-32602 names the parameter', () => {
  test.each<[unknown, string, string]>([
    [undefined, 'params', 'must be an array of a user operation and an object'],
    [{}, 'params', 'must be an array of a user operation and an object'],
    [[], 'params', 'must be an array of a user operation and an object'],
    [[{}], 'params', 'must be an array of a user operation and an object'],
    [[null, {}], 'params[0]', 'must be an object'],
    [[{}, '0xEntryPoint'], 'params[1]', 'must be an object'],
    [[{ sender: 5 }, {}], 'params[0].sender', 'must be a hex string'],
    [
      [{ nonce: 1.5 }, {}],
      'params[0].nonce',
      'must be a hex string, a decimal string or a whole number up to 9007199254740991',
    ],
    [
      [{ nonce: -1 }, {}],
      'params[0].nonce',
      'must be a hex string, a decimal string or a whole number up to 9007199254740991',
    ],
    [
      [{ callGasLimit: 2 ** 53 }, {}],
      'params[0].callGasLimit',
      'must be a hex string, a decimal string or a whole number up to 9007199254740991',
    ],
    [[{}, { mode: 'FREE' }], 'params[1].mode', 'must be SPONSORED or ERC20'],
    [[{}, { calculateGasLimits: 'true' }], 'params[1].calculateGasLimits', 'must be a boolean value'],
    [[{}, { expiryDuration: '300' }], 'params[1].expiryDuration', 'must be a number'],
    [[{}, { sponsorshipInfo: [] }], 'params[1].sponsorshipInfo', 'must be an object'],
    [[{}, { sponsorshipInfo: { webhookData: [] } }], 'params[1].sponsorshipInfo.webhookData', 'must be an object'],
    [
      [{}, { sponsorshipInfo: { smartAccountInfo: { version: '1' } } }],
      'params[1].sponsorshipInfo.smartAccountInfo.name',
      'must be a string',
    ],
    [[{}, { tokenInfo: { tokenList: 'a' } }], 'params[1].tokenInfo.tokenList', 'must be an array'],
    [[{}, { tokenInfo: { tokenList: ['', 5] } }], 'params[1].tokenInfo.tokenList[1]', 'must be a string'],
    [
      [{}, { tokenInfo: { tokenList: Array.from({ length: 101 }, () => '') } }],
      'params[1].tokenInfo.tokenList',
      'must have at most 100 elements',
    ],
  ])('%j', async (params, field, problem) => {
    const { status, error, seen } = await call('pm_getFeeQuoteOrData', params);
    expect([status, error?.code, error?.message, error?.data?.field]).toStrictEqual([
      400,
      -32602,
      `${field} ${problem}`,
      field,
    ]);
    expect(seen).toBeUndefined();
  });

  test('pm_sponsorUserOperation requires mode', async () => {
    const { error } = await call('pm_sponsorUserOperation', [{}, {}]);
    expect(error?.message).toBe('params[1].mode must be SPONSORED or ERC20');
  });

  test.each([[[{}]], [[{}, null]], [[{}, 5, {}]]])(
    'pm_sponsorUserOperation names both of its forms: %j',
    async (params) => {
      const { error } = await call('pm_sponsorUserOperation', params);
      expect(error?.message).toMatch(/an EntryPoint,? or an object with a mode$/);
    },
  );
});

describe('what the core is given', () => {
  test('numbers become decimal text, text stays as it came, null and unknown fields are left out', async () => {
    const operation = { sender: '0xABc', nonce: 0, callGasLimit: '0x05', maxFeePerGas: '12', initCode: '0x' };
    const { seen } = await call('pm_getFeeQuoteOrData', [
      { ...operation, verificationGasLimit: Number.MAX_SAFE_INTEGER, paymaster: null, eip7702Auth: null, more: {} },
      { unknown: 1 },
      'ignored',
    ]);
    expect(seen).toStrictEqual({
      apiKey,
      clientAddress: '127.0.0.1',
      arrival: { method: 'pm_getFeeQuoteOrData', address: '127.0.0.1' },
      chainId,
      userOperation: { ...operation, nonce: '0', verificationGasLimit: '9007199254740991' },
      context: { sponsorshipInfoGiven: false },
    });
  });

  test('an EIP-7702 authorization arrives, its numbers as decimal text', async () => {
    const eip7702Auth = { address: '0xAb', chainId: 1, nonce: '0x0', r: '0x01', s: null, yParity: 0, v: 27 };
    const { seen } = await call('pm_getFeeQuoteOrData', [{ eip7702Auth }, {}]);
    expect(seen?.userOperation).toStrictEqual({
      eip7702Auth: { address: '0xAb', chainId: '1', nonce: '0x0', r: '0x01', yParity: '0' },
    });
  });

  test('every field of params[1] arrives', async () => {
    const webhookData = { deep: { list: [1, 'a', null, { x: true }] } };
    const tokenInfo = { preferredToken: '', tokenList: ['', '0xA'], feeTokenAddress: '0xB' };
    const { seen } = await call('pm_sponsorUserOperation', [
      {},
      {
        mode: 'SPONSORSHIP',
        calculateGasLimits: false,
        expiryDuration: 300.9,
        sponsorshipInfo: { ...info, webhookData },
        tokenInfo,
      },
    ]);
    expect(seen?.context).toStrictEqual({
      mode: 'SPONSORSHIP',
      calculateGasLimits: false,
      expiryDuration: 300,
      sponsorshipInfoGiven: true,
      webhookDataJson: JSON.stringify(webhookData),
      smartAccountInfo: info.smartAccountInfo,
      tokenInfo,
    });
  });

  test('what published clients send with null and empty objects is tolerated', async () => {
    const { status, seen } = await call('pm_getFeeQuoteOrData', [
      { nonce: '0x', signature: '0x' },
      { mode: null, tokenInfo: {}, sponsorshipInfo: { webhookData: null, ...info } },
    ]);
    expect(status).toBe(200);
    expect(seen?.context).toStrictEqual({
      sponsorshipInfoGiven: true,
      smartAccountInfo: info.smartAccountInfo,
      tokenInfo: {},
    });
  });
});
