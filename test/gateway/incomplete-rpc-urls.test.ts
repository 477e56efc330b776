import { createPublicClient, http } from 'viem';
import { createPaymasterClient, entryPoint07Address } from 'viem/account-abstraction';
import { expect, test } from 'vitest';
import { chainId } from '../support/gateway/fake-core.ts';
import { send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const hint =
  'This URL has no apiKey. The URL of a paymaster ends with /api/v2/<chainId>/<apiKey>. The dashboard shows it under Connect.';
const dashboard = new Map([['index.html', { type: 'text/html', bytes: Buffer.from('page') }]]);
const call = { jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterData', params: [] };

test.each(['', '/', '/api/v1', '/api/v2/', `/api/v2/${chainId}`, `/api/v1/${chainId}/`])(
  'a client whose URL ends with “%s” shows how the URL of a paymaster ends',
  async (path) => {
    const { url } = await startTestGateway({ dashboard });
    const transport = http(`${url}${path}`, { retryCount: 0 });
    const asked = createPaymasterClient({ transport }).getPaymasterData({
      chainId,
      entryPointAddress: entryPoint07Address,
      sender: entryPoint07Address,
      nonce: 0n,
      callData: '0x',
      callGasLimit: 1n,
      verificationGasLimit: 1n,
      preVerificationGas: 1n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    });
    await expect(asked).rejects.toThrow(hint);
    await expect(createPublicClient({ transport }).getChainId()).rejects.toThrow(hint);
  },
);

test('pages of other sites can read it, and the body is not', async () => {
  const { url } = await startTestGateway({ limits: { rpcBodyBytes: 10 } });
  const headers = { origin: 'https://app.example' };
  const preflight = await send(`${url}/`, 'OPTIONS', { headers });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
  const answer = await send(`${url}/`, 'POST', { json: call, headers });
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.body).toMatchObject({ id: null, error: { code: -32011, message: hint } });
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
});

test('the pages at these paths stay', async () => {
  const { url } = await startTestGateway({ dashboard });
  const page = await send(`${url}/`, 'GET');
  expect([page.status, page.headers.location]).toEqual([302, '/dashboard/']);
  expect(page.headers['access-control-allow-origin']).toBeUndefined();
  expect((await send(`${url}/`, 'PUT')).status).toBe(405);
});
