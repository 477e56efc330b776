import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import {
  callRpc,
  messageOf,
  newOperation,
  type Rpc,
  refusalOf,
  resultOf,
  sponsored,
} from '../support/interface/rpc-calls.ts';
import { approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
let paymaster: DevPaymaster;
let management: ManagementClient;

beforeAll(async () => {
  service = await startService();
  const account = await service.issueAccount();
  management = service.managementOf(account.authToken);
  paymaster = await service.fundedPaymaster(account.authToken, '0.7');
}, 60_000);
afterAll(() => service?.close());

/** A key of the paymaster, and what its holder is answered. */
async function newKey(name: string) {
  const { apiKey, apiKeyId } = await management.createApiKey({ paymasterId: paymaster.paymasterId, name });
  const url = service.rpcUrl(apiKey);
  const id = { paymasterId: paymaster.paymasterId, apiKeyId };
  return {
    apiKey,
    apiKeyId,
    url,
    id,
    sponsor: async () => callRpc(url, [await newOperation(service.devnet, '0.7'), sponsored]),
  };
}

describe('a key next to the paymaster’s own', () => {
  test('sponsors as the own one does, says when it was used, and the decision names it', async () => {
    const key = await newKey('web');
    resultOf(await key.sponsor());
    await expect
      .poll(async () =>
        (await management.listApiKeys({ paymasterId: key.id.paymasterId })).find(
          ({ apiKeyId }) => apiKeyId === key.apiKeyId,
        ),
      )
      .toMatchObject({ name: 'web', lastUsedAt: expect.any(Number) });
    const [decision] = (await management.listDecisions({ apiKey: paymaster.apiKey })).decisions;
    const { trace } = await management.getDecision({
      apiKey: paymaster.apiKey,
      decisionId: decision?.decisionId ?? '',
    });
    expect(trace).toContainEqual({ rule: 'api-key', checked: 'the apiKey "web"', verdict: 'passed' });
  });

  test('is refused with its own reason while it is disabled, by every method, and alone', async () => {
    const key = await newKey('phone');
    await management.updateApiKey({ ...key.id, disabled: true });
    const refused = await key.sponsor();
    expect(refusalOf(refused)).toEqual([401, -32011, 'KEY_DISABLED']);
    expect(messageOf(refused)).not.toContain('phone');
    for (const method of ['eth_chainId', 'pm_supportedEntryPoints', 'pimlico_getSupportedTokens']) {
      expect(refusalOf(await callRpc(key.url, [], method))[2]).toBe('KEY_DISABLED');
    }
    const own = service.rpcUrl(paymaster.apiKey);
    resultOf(await callRpc(own, [await newOperation(service.devnet, '0.7'), sponsored]));
    expect(await management.listSmartContracts({ apiKey: key.apiKey })).toHaveLength(1);
    await management.updateApiKey({ ...key.id, disabled: false });
    resultOf(await key.sponsor());
  });

  test('is refused where it is disabled while its request is under way', async () => {
    const key = await newKey('late');
    const { apiKey } = paymaster;
    // The webhook agrees once the key is disabled.
    const server = await startWebhookServer(async (response, received) => {
      await management.updateApiKey({ ...key.id, disabled: true });
      approve(response, received);
    });
    const { webhookId } = await management.createWebhook({ apiKey, webhookUrl: server.url, requestType: 'POST' });
    expect(refusalOf(await key.sponsor())[2]).toBe('KEY_DISABLED');
    expect(server.received).toHaveLength(1);
    await management.deleteWebhook({ apiKey, webhookId });
  });

  test('is bound to the address of the connection where no proxy is trusted, whatever a header says', async () => {
    const key = await newKey('office');
    const ask = async (headers: Readonly<Record<string, string>> = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      return ((await (await fetch(key.url, init)).json()) as Rpc).error?.data?.reason;
    };
    await management.updateApiKey({ ...key.id, rules: { networks: ['203.0.113.0/24'] } });
    expect(await ask()).toBe('ADDRESS_NOT_ALLOWED');
    expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toBe('ADDRESS_NOT_ALLOWED');
    await management.updateApiKey({ ...key.id, rules: { networks: ['127.0.0.0/8'] } });
    expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toBeUndefined();
  });

  test('is unknown on the path of another chain, and once it has ended', async () => {
    const key = await newKey('gone');
    const elsewhere = key.url.replace(`/${service.devnet.chainId}/`, '/1/');
    const operation = await newOperation(service.devnet, '0.7');
    expect(refusalOf(await callRpc(elsewhere, [operation, sponsored]))[2]).toBe('UNAUTHORIZED');
    resultOf(await callRpc(key.url, [operation, sponsored]));
    await management.endApiKey(key.id);
    expect(refusalOf(await callRpc(key.url, [operation, sponsored]))[2]).toBe('UNAUTHORIZED');
    // What is set aside for the signature made with it stays.
    const { chainId } = service.devnet;
    const open = await service.core.listOpenHolds({ chainId, sender: String(operation.sender) });
    expect(open).toMatchObject({ ok: true, value: [{ sender: operation.sender }] });
  });
});

describe('a paymaster', () => {
  async function newPaymaster(name: string) {
    const { chainId } = service.devnet;
    return management.createPaymaster({ name, chainId, version: paymaster.version });
  }

  test('is renamed, to a name that no other has', async () => {
    const { paymasterId } = await newPaymaster('first');
    await newPaymaster('second');
    expect(await management.updatePaymaster({ paymasterId, name: 'third' })).toMatchObject({ name: 'third' });
    const taken = management.updatePaymaster({ paymasterId, name: 'second' });
    await expect(taken).rejects.toThrow('paymaster_name_exists');
    expect((await management.listPaymasters()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['second', 'third']),
    );
  });

  test('refuses everything while it is paused, a request under way too, and goes on when it is resumed', async () => {
    const { paymasterId, apiKey } = paymaster;
    const url = service.rpcUrl(apiKey);
    const server = await startWebhookServer(async (response, received) => {
      await management.updatePaymaster({ paymasterId, paused: true });
      approve(response, received);
    });
    const { webhookId } = await management.createWebhook({ apiKey, webhookUrl: server.url, requestType: 'POST' });
    const operation = await newOperation(service.devnet, '0.7');
    expect(refusalOf(await callRpc(url, [operation, sponsored]))).toEqual([422, -32013, 'PAYMASTER_PAUSED']);
    expect(server.received).toHaveLength(1);
    await management.deleteWebhook({ apiKey, webhookId });
    expect((await management.listPaymasters())[0]).toMatchObject({ paymasterId, pausedAt: expect.any(Number) });
    const { address: entryPoint } = { address: '0x0000000071727De22E5E9d8BAf0edAc6f37da032' };
    const stub = [operation, entryPoint, `0x${service.devnet.chainId.toString(16)}`, {}];
    expect(refusalOf(await callRpc(url, stub, 'pm_getPaymasterStubData'))[2]).toBe('PAYMASTER_PAUSED');
    expect(refusalOf(await callRpc(url, [], 'pm_supportedEntryPoints'))[2]).toBe('PAYMASTER_PAUSED');
    expect(await management.updatePaymaster({ paymasterId, paused: false })).not.toHaveProperty('pausedAt');
    resultOf(await callRpc(url, [operation, sponsored]));
  });

  test('is retired for good: its keys end, nothing is signed or changed, and its ledger can still be read', async () => {
    const { accountId, authToken } = await service.issueAccount();
    const other = service.managementOf(authToken);
    const own = await service.fundedPaymaster(authToken, '0.7', 2);
    const { paymasterId, apiKey } = own;
    const extra = await other.createApiKey({ paymasterId, name: 'extra' });
    const operation = await newOperation(service.devnet, '0.7');
    resultOf(await callRpc(service.rpcUrl(extra.apiKey), [operation, sponsored]));
    const tank = async () => {
      const read = await service.core.readGasTank({ accountId, paymasterId });
      return read.ok ? [read.value.funded, read.value.held] : read.refusal.reason;
    };
    const before = await tank();
    const [{ name } = { name: '' }] = await other.listPaymasters();
    await expect(other.retirePaymaster({ paymasterId, name: 'another' })).rejects.toThrow(
      'name must be the paymaster’s name',
    );
    await other.retirePaymaster({ paymasterId, name });
    expect(refusalOf(await callRpc(service.rpcUrl(extra.apiKey), [operation, sponsored]))[2]).toBe('UNAUTHORIZED');
    expect(refusalOf(await callRpc(own.rpcUrl, [operation, sponsored]))[2]).toBe('PAYMASTER_RETIRED');
    const retired = 'Paymaster is retired';
    await expect(other.updatePaymaster({ paymasterId, paused: false })).rejects.toThrow(retired);
    await expect(other.createApiKey({ paymasterId, name: 'new' })).rejects.toThrow(retired);
    await expect(other.setPolicy({ apiKey, policy: { sponsorAllCalls: true } })).rejects.toThrow(retired);
    expect(await tank()).toEqual(before);
    expect((await other.listDecisions({ apiKey, outcome: 'signed' })).decisions).toHaveLength(1);
    expect(await other.listPaymasters()).toMatchObject([{ paymasterId, retiredAt: expect.any(Number) }]);
  });
});
