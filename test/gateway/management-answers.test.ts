import { describe, expect, test } from 'vitest';
import type { RefusalReason } from '../../core/domain/result/refusal.ts';
import {
  apiKey,
  authToken,
  chainId,
  contract,
  paymasterId,
  refusal,
  servedChain,
  webhook,
} from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const { webhookId, webhookUrl, requestType } = webhook;
const { version, ...served } = servedChain.contracts[0] ?? { version: '' };
const shownPaymaster = { name: 'shop', chainId, apiKey, paymasterId, version, contract: served };
const fundingBody = { paymasterId, type: 'paymasterFundingId', signature: '0x00', address: contract.address };

describe('every call of the interface answers its success envelope', () => {
  test.each([
    ['POST', '/webhook', { webhookUrl, requestType }, 'Webhook created', { webhookId, webhookUrl, requestType }],
    ['GET', `/webhook?webhookId=${webhookId}`, undefined, 'Webhook list fetched', [webhook]],
    ['PATCH', '/webhook', { webhookId, active: false }, 'Webhook updated', undefined],
    ['DELETE', '/webhook', { webhookId }, 'Webhook deleted', undefined],
    ['GET', `/webhook/${webhookId}/secret`, undefined, 'Webhook secret fetched', { secret: 'whsec_old' }],
    ['POST', `/webhook/${webhookId}/secret`, undefined, 'Webhook secret rotated', { secret: 'whsec_new' }],
    ['GET', '/paymaster', undefined, 'DApp list fetched', [shownPaymaster]],
    [
      'POST',
      '/paymaster',
      { name: 'shop', type: 'HYBRID', chainId, version: '1' },
      'DApp registered successfully',
      shownPaymaster,
    ],
    [
      'POST',
      '/smart-contract',
      { name: 'token', address: contract.address, abi: '[]' },
      'Smart contract registered successfully',
      undefined,
    ],
    ['GET', '/smart-contract', undefined, 'Smart contract list fetched', [contract]],
    [
      'PATCH',
      '/smart-contract',
      { address: contract.address, whitelistedMethods: [] },
      'Smart contract updated',
      contract,
    ],
    ['DELETE', '/smart-contract', { address: contract.address }, 'Smart contract deleted', undefined],
    [
      'GET',
      `/funding-message/${paymasterId}`,
      undefined,
      'Funding message sent',
      { fundingMessage: 'line one\nline two' },
    ],
    ['PATCH', '/paymaster', fundingBody, 'Paymaster updated successfully', shownPaymaster],
  ])('%s %s', async (method, path, json, message, data) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({ statusCode: 200, message, ...(data && { data }) });
  });
});

describe('a refusal of the core is answered with the text of the interface', () => {
  test.each<[string, string, string, unknown, RefusalReason, number, number, string]>([
    [
      'updateWebhook',
      'PATCH',
      '/webhook',
      { webhookId, active: true },
      'WEBHOOK_NOT_FOUND',
      404,
      404,
      'Webhook not found',
    ],
    ['deleteWebhook', 'DELETE', '/webhook', { webhookId }, 'WEBHOOK_NOT_FOUND', 404, 404, 'Webhook not found'],
    ['createWebhook', 'POST', '/webhook', { webhookUrl, requestType }, 'INVALID_FIELD', 400, 400, 'from the core'],
    [
      'createWebhook',
      'POST',
      '/webhook',
      { webhookUrl, requestType },
      'WEBHOOK_URL_NOT_REACHABLE',
      400,
      400,
      'from the core',
    ],
    ['createPaymaster', 'POST', '/paymaster', 'paymaster', 'PAYMASTER_NAME_EXISTS', 400, 400, 'paymaster_name_exists'],
    [
      'createPaymaster',
      'POST',
      '/paymaster',
      'paymaster',
      'PAYMASTER_CHAIN_NOT_SUPPORTED',
      400,
      400,
      'Chain ID not supported',
    ],
    [
      'createPaymaster',
      'POST',
      '/paymaster',
      'paymaster',
      'PAYMASTER_VERSION_NOT_SUPPORTED',
      400,
      400,
      'Paymaster version not supported',
    ],
    [
      'registerSmartContract',
      'POST',
      '/smart-contract',
      'contract',
      'CONTRACT_ADDRESS_EXISTS',
      400,
      400,
      'Smart contract address already exists',
    ],
    [
      'registerSmartContract',
      'POST',
      '/smart-contract',
      'contract',
      'CONTRACT_NAME_EXISTS',
      400,
      400,
      'Smart contract name already exists',
    ],
    ['registerSmartContract', 'POST', '/smart-contract', 'contract', 'METHODS_NOT_IN_ABI', 400, 400, 'from the core'],
    [
      'updateSmartContract',
      'PATCH',
      '/smart-contract',
      { address: contract.address, whitelistedMethods: [] },
      'CONTRACT_NOT_FOUND',
      404,
      400,
      'Smart contract not found',
    ],
    [
      'deleteSmartContract',
      'DELETE',
      '/smart-contract',
      { address: contract.address },
      'CONTRACT_NOT_FOUND',
      404,
      400,
      'Smart contract not found',
    ],
    ['setFundingWallet', 'PATCH', '/paymaster', fundingBody, 'INVALID_SIGNATURE', 400, 400, 'Invalid signature'],
  ])('%s: %s %s', async (operation, method, path, body, reason, status, statusCode, message) => {
    const bodies: Record<string, unknown> = {
      paymaster: { name: 'shop', type: 'HYBRID', chainId, version: '1' },
      contract: { name: 'token', address: contract.address, abi: '[]' },
    };
    const { url } = await startTestGateway({
      core: { [operation]: async () => refusal(reason, { message: 'from the core' }) },
    });
    const json = typeof body === 'string' ? bodies[body] : body;
    const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
    expect([answer.status, answer.body]).toStrictEqual([status, { statusCode, message }]);
  });
});

test('a paymasterId that is not that of the apiKey is not found, and the core is not asked', async () => {
  let asked = 0;
  const count = async () => {
    asked += 1;
    return refusal('INTERNAL');
  };
  const { url } = await startTestGateway({ core: { createFundingMessage: count, setFundingWallet: count } });
  const notFound = { statusCode: 404, message: 'Paymaster not found' };
  const message = await send(`${url}${prefix}/funding-message/other`, 'GET', { headers: bothHeaders });
  const update = await send(`${url}${prefix}/paymaster`, 'PATCH', {
    headers: bothHeaders,
    json: { ...fundingBody, paymasterId: 'other' },
  });
  expect([message.status, message.body]).toStrictEqual([404, notFound]);
  expect([update.status, update.body]).toStrictEqual([404, notFound]);
  expect(asked).toBe(0);
});

test('an unknown webhookId gives an empty array', async () => {
  const { url } = await startTestGateway({ core: { listWebhooks: async () => ({ ok: true, value: [] }) } });
  const answer = await send(`${url}${prefix}/webhook?webhookId=unknown`, 'GET', { headers: bothHeaders });
  expect(answer.body).toStrictEqual({ statusCode: 200, message: 'Webhook list fetched', data: [] });
});

test('an exception and a refusal no one expects become an opaque 500 that names the request', async () => {
  for (const listPaymasters of [
    async () => Promise.reject(new Error('secret detail')),
    async () => refusal('NO_POLICIES', { message: 'secret detail' }),
  ]) {
    const { url } = await startTestGateway({ core: { listPaymasters } });
    const answer = await send(`${url}${prefix}/paymaster`, 'GET', {
      headers: { authToken, 'x-request-id': 'request-7' },
    });
    expect([answer.status, answer.body]).toStrictEqual([
      500,
      { statusCode: 500, message: 'Internal error (request request-7)' },
    ]);
    expect(answer.headers['x-request-id']).toBe('request-7');
  }
});

test('fields that the contract does not declare never leave', async () => {
  const { url } = await startTestGateway({
    core: { listPaymasters: async () => ({ ok: true, value: [{ ...paymasterWithSecret }] }) },
  });
  const answer = await send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken } });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('hidden');
});

const paymasterWithSecret = {
  paymasterId,
  accountId: 'hidden-account',
  name: 'shop',
  chainId,
  version: 'of a former configuration',
  apiKey,
  internal: 'hidden-internal',
};
