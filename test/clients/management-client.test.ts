import { type Abi, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { TollfreeApiError } from '../../clients/sdk/errors/errors.ts';
import type { PaymasterItem } from '../../contract/paymaster.ts';
import type { SmartContractItem } from '../../contract/smart-contract.ts';
import type { ListedWebhookItem } from '../../contract/webhook.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const contractAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const abi = parseAbi(['function move(uint256 step)', 'function stop()', 'function steps() view returns (uint256)']);

async function errorOf(call: Promise<unknown>): Promise<TollfreeApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TollfreeApiError)) throw new Error('the call was not refused', { cause: error });
  return error;
}

describe.each([
  { form: 'gateway and core in one process', handle: 'local' },
  { form: 'gRPC between gateway and core', handle: 'grpc' },
] as const)('$form', ({ handle }) => {
  let service: RunningService;
  let authToken: string;
  let client: ManagementClient;
  beforeAll(async () => {
    service = await startService({ handle });
    ({ authToken } = await service.issueAccount());
    client = createManagementClient({ baseUrl: service.url, authToken });
  });
  afterAll(() => service.close());

  let paymasters = 0;
  function createPaymaster(): Promise<PaymasterItem> {
    paymasters += 1;
    return client.createPaymaster({ name: `shop ${paymasters}`, chainId: service.devnet.chainId, version: '2.0.0' });
  }

  describe('paymasters', () => {
    test('a created paymaster is in the list, with the apiKey it was created with', async () => {
      const created = await createPaymaster();
      expect(created).toMatchObject({ name: 'shop 1', chainId: service.devnet.chainId });
      expect(await client.listPaymasters()).toContainEqual(created);
    });

    test('a refusal carries the status and the own sentence of the service', async () => {
      const call = client.createPaymaster({ name: 'elsewhere', chainId: 4_242, version: '2.0.0' });
      expect(await errorOf(call)).toMatchObject({ status: 400, statusCode: 400, message: 'Chain ID not supported' });
    });

    test('an authToken no one issued is refused with 401', async () => {
      const stranger = createManagementClient({ baseUrl: service.url, authToken: 'tf_nobody' });
      expect(await errorOf(stranger.listPaymasters())).toMatchObject({
        status: 401,
        message: 'Auth token and API key is required in the headers',
      });
    });
  });

  test('the chains that are served name the versions, with contract and EntryPoint, as listed paymasters do', async () => {
    const [chain, ...others] = await client.listChains();
    const { chainId, entryPoints } = service.devnet;
    expect(others).toEqual([]);
    expect(chain?.chainId).toBe(chainId);
    const served = chain?.contracts.find(({ version }) => version === '2.0.0');
    expect(served).toMatchObject({ entryPointVersion: '0.7', entryPoint: entryPoints['0.7'] });
    expect(chain?.tokens).toEqual(
      service.devnet.tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals })),
    );
    expect(chain?.tokens).not.toEqual([]);
    const { version, ...contract } = served ?? { version: '' };
    const { paymasterId } = await createPaymaster();
    const listed = (await client.listPaymasters()).find((paymaster) => paymaster.paymasterId === paymasterId);
    expect(listed).toMatchObject({ version, contract });
  });

  test('an apiKey is replaced, in management and RPC alike, and the one before ended', async () => {
    const { apiKey: first, paymasterId } = await createPaymaster();
    const answers = async (apiKey: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'pm_supportedEntryPoints', params: [] });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(service.rpcUrl(apiKey), { method: 'POST', headers, body });
      return 'result' in ((await answer.json()) as object);
    };
    const { apiKey: second, apiKeyId } = await client.rotateApiKey({ paymasterId, graceSeconds: 60 });
    expect(await client.listSmartContracts({ apiKey: first })).toEqual([]);
    expect([await answers(first), await answers(second)]).toEqual([true, true]);
    const [newest, replaced, ...others] = await client.listApiKeys({ paymasterId });
    expect(others).toEqual([]);
    expect(newest).toMatchObject({ apiKeyId, name: 'default', isOwn: true, createdAt: expect.any(Number) });
    expect(replaced?.expiresAt).toBe((newest?.createdAt ?? 0) + 60);

    await client.endApiKey({ paymasterId, apiKeyId: replaced?.apiKeyId ?? '' });
    expect([await answers(first), await answers(second)]).toEqual([false, true]);
    expect(await errorOf(client.listSmartContracts({ apiKey: first }))).toMatchObject({ status: 401 });
    const again = client.endApiKey({ paymasterId, apiKeyId: replaced?.apiKeyId ?? '' });
    expect(await errorOf(again)).toMatchObject({ status: 404, message: 'API key not found' });
    expect(await errorOf(client.rotateApiKey({ paymasterId, graceSeconds: -1 }))).toMatchObject({ status: 400 });
  });

  describe('smart contracts', () => {
    test('are registered from an ABI, listed, updated and deleted', async () => {
      const { apiKey } = await createPaymaster();
      await client.registerSmartContract({
        apiKey,
        name: 'walker',
        address: contractAddress,
        abi,
        whitelistedMethods: ['move'],
      });
      const [listed, ...others] = await client.listSmartContracts({ apiKey });
      expect(others).toEqual([]);
      expect(listed).toMatchObject({ name: 'walker', address: contractAddress, whitelistedMethods: ['move'] });
      expect(listed?.methods).toEqual(['move', 'stop']);
      expect(JSON.parse(listed?.abi ?? '')).toEqual(abi);

      const updated = await client.updateSmartContract({
        apiKey,
        address: contractAddress,
        whitelistedMethods: ['stop'],
      });
      expect(updated.whitelistedMethods).toEqual(['stop']);

      await client.deleteSmartContract({ apiKey, address: contractAddress });
      expect(await client.listSmartContracts({ apiKey })).toEqual([]);
    });

    test('the two 404s whose body says 400 keep both numbers', async () => {
      const { apiKey } = await createPaymaster();
      const call = client.deleteSmartContract({ apiKey, address: contractAddress });
      expect(await errorOf(call)).toMatchObject({ status: 404, statusCode: 400, message: 'Smart contract not found' });
    });

    test('a client made with an apiKey acts on that paymaster, unless a call names another', async () => {
      const [own, other] = [await createPaymaster(), await createPaymaster()];
      await client.registerSmartContract({ apiKey: own.apiKey, name: 'walker', address: contractAddress, abi });
      const bound = createManagementClient({ baseUrl: service.url, authToken, apiKey: own.apiKey });
      expect(await bound.listSmartContracts()).toHaveLength(1);
      expect(await bound.listSmartContracts({ apiKey: other.apiKey })).toEqual([]);
    });

    test('a call on one paymaster without any apiKey says so before anything is sent', async () => {
      await expect(client.listSmartContracts()).rejects.toThrow('give its apiKey to the client or to the call');
    });
  });

  describe('webhooks', () => {
    test('are created, found, switched off and on, and deleted', async () => {
      const { apiKey } = await createPaymaster();
      const created = await client.createWebhook({ apiKey, webhookUrl: 'http://127.0.0.1:1/ask', requestType: 'POST' });
      const { webhookId } = created;
      const find = () => client.listWebhooks({ apiKey, webhookId });
      expect(await find()).toEqual([{ ...created, active: true, etag: expect.any(String) }]);
      await client.updateWebhook({ apiKey, webhookId, active: false });
      expect(await find()).toEqual([{ ...created, active: false, etag: expect.any(String) }]);
      await client.updateWebhook({ apiKey, webhookId, active: true });
      expect(await find()).toEqual([{ ...created, active: true, etag: expect.any(String) }]);
      await client.deleteWebhook({ apiKey, webhookId });
      expect(await find()).toEqual([]);
    });

    test('the secret is the same until it is rotated', async () => {
      const { apiKey } = await createPaymaster();
      const { webhookId } = await client.createWebhook({
        apiKey,
        webhookUrl: 'http://127.0.0.1:1/ask',
        requestType: 'GET',
      });
      const first = await client.readWebhookSecret({ apiKey, webhookId });
      expect(await client.readWebhookSecret({ apiKey, webhookId })).toEqual(first);
      const rotated = await client.rotateWebhookSecret({ apiKey, webhookId });
      expect(rotated.secret).not.toBe(first.secret);
      expect(await client.readWebhookSecret({ apiKey, webhookId })).toEqual(rotated);
    });

    test('an id with characters of a path reaches the service as that id', async () => {
      const { apiKey } = await createPaymaster();
      const call = client.readWebhookSecret({ apiKey, webhookId: '../paymaster?a=b#c' });
      expect(await errorOf(call)).toMatchObject({ status: 404, message: 'Webhook not found' });
    });
  });

  describe('funding wallet', () => {
    test('a signature of the newest message sets it, the message before does not', async () => {
      const { apiKey, paymasterId, name } = await createPaymaster();
      const wallet = privateKeyToAccount(generatePrivateKey());
      const older = await client.createFundingMessage({ apiKey, paymasterId });
      const newer = await client.createFundingMessage({ apiKey, paymasterId });
      const set = async ({ fundingMessage }: { fundingMessage: string }) =>
        client.setFundingWallet({
          apiKey,
          paymasterId,
          signature: await wallet.signMessage({ message: fundingMessage }),
          address: wallet.address,
        });
      expect(await errorOf(set(older))).toMatchObject({ status: 400, message: 'Invalid signature' });
      expect(await set(newer)).toMatchObject({ name, paymasterId, apiKey });
    });
  });
});

test('the types of the actions are those of the contract', () => {
  const actions = createManagementClient({ baseUrl: 'http://127.0.0.1', authToken: 'tf_x' });
  expectTypeOf(actions.listPaymasters).returns.resolves.toEqualTypeOf<readonly PaymasterItem[]>();
  expectTypeOf(actions.listSmartContracts).returns.resolves.toEqualTypeOf<readonly SmartContractItem[]>();
  expectTypeOf(actions.listWebhooks).returns.resolves.toEqualTypeOf<readonly ListedWebhookItem[]>();
  expectTypeOf(actions.createWebhook).parameter(0).toHaveProperty('requestType').toEqualTypeOf<'GET' | 'POST'>();
  expectTypeOf(actions.registerSmartContract).parameter(0).toHaveProperty('abi').toEqualTypeOf<Abi | string>();
  expectTypeOf(actions.createPaymaster).parameter(0).toHaveProperty('chainId').toEqualTypeOf<number>();
});
