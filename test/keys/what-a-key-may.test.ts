import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { ApiKeyRulesItem } from '../../contract/api-key-rules.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { newOperation, type Rpc, sponsored } from '../support/interface/rpc-calls.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
let paymaster: DevPaymaster;
let management: ManagementClient;

beforeAll(async () => {
  service = await startService({ trustedProxies: ['127.0.0.1'] });
  const { authToken } = await service.issueAccount();
  management = service.managementOf(authToken);
  paymaster = await service.fundedPaymaster(authToken, '0.7');
}, 60_000);
afterAll(() => service?.close());

let made = 0;

/** The address of the RPC endpoint with a key that is bound to something. */
async function keyWith(rules: Partial<ApiKeyRulesItem>) {
  made += 1;
  const { paymasterId } = paymaster;
  const key = await management.createApiKey({ paymasterId, name: `key ${made}`, rules });
  return { ...key, url: service.rpcUrl(key.apiKey) };
}

const entryPoints = { jsonrpc: '2.0', id: 1, method: 'pm_supportedEntryPoints', params: [] };
type Headers = Readonly<Record<string, string>>;

async function post(url: string, body: unknown, headers: Headers = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Why a question about the paymaster is refused, if it is. */
async function reasonOf(url: string, headers: Headers, body: object = entryPoints): Promise<string | undefined> {
  return ((await (await post(url, body, headers)).json()) as Rpc).error?.data?.reason;
}

describe('a key for some origins', () => {
  test('is for requests of their pages alone: not of others, of none, or of a page that hides its own', async () => {
    const { url } = await keyWith({ origins: ['https://app.example.com', 'https://*.example.org'] });
    expect(await reasonOf(url, { origin: 'https://app.example.com' })).toBeUndefined();
    expect(await reasonOf(url, { origin: 'https://a.example.org' })).toBeUndefined();
    for (const headers of [{}, { origin: 'null' }, { origin: 'https://evil.example.com' }]) {
      expect(await reasonOf(url, headers)).toBe('ORIGIN_NOT_ALLOWED');
    }
  });

  test('answers the preflight of any page, and lets it read why it is refused', async () => {
    const { url } = await keyWith({ origins: ['https://app.example.com'] });
    const headers = { origin: 'https://evil.com' };
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const refused = await post(url, entryPoints, headers);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    const { error } = (await refused.json()) as Rpc;
    expect(error?.message).toBe('The apiKey in the URL does not allow requests from the origin https://evil.com.');
    expect(JSON.stringify(error)).not.toContain('app.example.com');
  });

  test('refuses an operation with what would change it in the record', async () => {
    const { url } = await keyWith({ origins: ['https://app.example.com'] });
    const operation = await newOperation(service.devnet, '0.7');
    const body = { ...entryPoints, method: 'pm_sponsorUserOperation', params: [operation, sponsored] };
    expect(await reasonOf(url, {}, body)).toBe('ORIGIN_NOT_ALLOWED');
    expect(await reasonOf(url, { origin: 'https://app.example.com' }, body)).toBeUndefined();
    const { apiKey } = paymaster;
    const { decisions } = await management.listDecisions({ apiKey, reason: 'ORIGIN_NOT_ALLOWED' });
    const { trace } = await management.getDecision({ apiKey, decisionId: decisions[0]?.decisionId ?? '' });
    expect(trace.at(-1)).toMatchObject({
      rule: 'api-key-origins',
      checked: 'a request without an Origin',
      limit: 'https://app.example.com',
      verdict: 'refused',
    });
  });
});

describe('a key for some networks', () => {
  test('is for their addresses, as a trusted proxy tells them', async () => {
    const { url } = await keyWith({ networks: ['203.0.113.0/24', '2001:db8:0:1::7'] });
    const from = (address: string) => reasonOf(url, { 'x-forwarded-for': address });
    expect(await from('203.0.113.9')).toBeUndefined();
    expect(await from('::ffff:203.0.113.9')).toBeUndefined();
    expect(await from('2001:db8:0:1::7')).toBeUndefined();
    // Of one network for the limits, and another machine all the same.
    expect(await from('2001:db8:0:1::8')).toBe('ADDRESS_NOT_ALLOWED');
    expect(await from('198.51.100.1')).toBe('ADDRESS_NOT_ALLOWED');
    // What the client itself puts before what the proxy says is not believed.
    expect(await from('203.0.113.9, 198.51.100.1')).toBe('ADDRESS_NOT_ALLOWED');
    expect(await reasonOf(url, {})).toBe('ADDRESS_NOT_ALLOWED');
  });
});

describe('a key for some methods', () => {
  test('is refused for the others, each by itself in a batch', async () => {
    const { url } = await keyWith({ methods: ['pm_supportedEntryPoints'] });
    const answers = (await (
      await post(url, [entryPoints, { ...entryPoints, id: 2, method: 'eth_chainId' }])
    ).json()) as readonly Rpc[];
    expect(answers.map(({ error }) => error?.data?.reason)).toEqual([undefined, 'RPC_METHOD_NOT_ALLOWED']);
  });
});

describe('a key with a rate', () => {
  test('is told to wait once its requests are used up, and others are not', async () => {
    const slow = await keyWith({ rate: { perSecond: 1, burst: 3 } });
    const asked = await Promise.all(Array.from({ length: 20 }, () => post(slow.url, entryPoints)));
    const reasons = await Promise.all(asked.map(async (answer) => ((await answer.json()) as Rpc).error?.data?.reason));
    const refused = reasons.filter((reason) => reason === 'RATE_LIMITED');
    // More than the burst only for the time that the requests took.
    expect(refused.length).toBeGreaterThan(0);
    expect(reasons.filter((reason) => reason === undefined).length).toBeGreaterThanOrEqual(3);
    expect(refused.length + reasons.filter((reason) => reason === undefined).length).toBe(20);
    expect(await reasonOf((await keyWith({})).url, {})).toBeUndefined();
  });
});

describe('what is asked next to signatures', () => {
  test.each([
    [
      'pm_validateSponsorshipPolicies',
      async () => [await newOperation(service.devnet, '0.7'), service.devnet.entryPoints['0.7'], []],
    ],
    ['tollfree_getAllowance', async () => [{ sender: service.devnet.target.address }]],
  ] as const)('%s is bound to the page and the rate of the key as well', async (method, params) => {
    const body = { ...entryPoints, method, params: await params() };
    const app = 'https://app.example.com';
    const { url } = await keyWith({ origins: [app], rate: { perSecond: 1, burst: 1 } });
    expect(await reasonOf(url, {}, body)).toBe('ORIGIN_NOT_ALLOWED');
    const reasons = await Promise.all(Array.from({ length: 10 }, () => reasonOf(url, { origin: app }, body)));
    expect(new Set(reasons)).toEqual(new Set([undefined, 'RATE_LIMITED']));
  });
});

describe('a key with a limit', () => {
  test('is refused beyond it, in every window that it has, while another goes on', async () => {
    const limit = (unit: 'OPERATIONS' | 'USD', max: string) => ({ per: 'TOTAL', window: 'DAY', unit, max }) as const;
    const bound = await keyWith({ limits: [limit('OPERATIONS', '1'), limit('USD', '1000')] });
    const sponsor = async (url: string) => {
      const params = [await newOperation(service.devnet, '0.7'), sponsored];
      const answer = await post(url, { ...entryPoints, method: 'pm_sponsorUserOperation', params });
      return ((await answer.json()) as Rpc).error?.data;
    };
    expect(await sponsor(bound.url)).toBeUndefined();
    expect(await sponsor(bound.url)).toMatchObject({ reason: 'LIMIT_EXCEEDED', limitKind: 'KEY_LIMIT' });
    expect(await sponsor(service.rpcUrl(paymaster.apiKey))).toBeUndefined();
  });
});

describe('what a key is bound to', () => {
  test('is answered in its one form, takes the place of what was before, and is in force at once', async () => {
    const { url, rules, apiKeyId } = await keyWith({ networks: ['10.1.2.3/8'], rate: { perSecond: 5, burst: 5 } });
    expect(rules).toEqual({
      origins: [],
      networks: ['10.0.0.0/8'],
      methods: [],
      rate: { perSecond: 5, burst: 5 },
      limits: [],
    });
    const id = { paymasterId: paymaster.paymasterId, apiKeyId };
    expect(await reasonOf(url, {})).toBe('ADDRESS_NOT_ALLOWED');
    const changed = await management.updateApiKey({ ...id, rules: { methods: ['eth_chainId'] } });
    expect(changed.rules).toMatchObject({ networks: [], methods: ['eth_chainId'] });
    expect(changed.rules).not.toHaveProperty('rate');
    expect(await reasonOf(url, {})).toBe('RPC_METHOD_NOT_ALLOWED');
    await management.updateApiKey({ ...id, rules: {} });
    expect(await reasonOf(url, {})).toBeUndefined();
  });

  test.each([
    [{ origins: ['https://app.example.com/'] }, /^rules.origins\[0\] must be an origin/],
    [{ networks: ['10.0.0.0/33'] }, /^rules.networks\[0\] must be an IP address/],
    [{ methods: ['eth_call'] }, /^rules.methods\[0\] must be a method/],
    [{ rate: { perSecond: 0, burst: 1 } }, /^rules.rate.perSecond must be a whole number/],
    [{ limits: [{ per: 'SENDER', window: 'DAY', unit: 'WEI', max: '1' }] }, /^rules.limits\[0\].per must be TOTAL/],
    [{ origin: [] }, /^rules.origin is not known/],
  ])('cannot be %j, and nothing is changed', async (rules, message) => {
    const { paymasterId } = paymaster;
    // When each was used last is written behind the requests.
    const list = async () => (await management.listApiKeys({ paymasterId })).map(({ lastUsedAt: _, ...key }) => key);
    const before = await list();
    await expect(management.createApiKey({ paymasterId, name: 'no', rules: rules as never })).rejects.toThrow(message);
    const apiKeyId = before[0]?.apiKeyId ?? '';
    await expect(management.updateApiKey({ paymasterId, apiKeyId, rules: rules as never })).rejects.toThrow(message);
    expect(await list()).toEqual(before);
  });

  test('is explained for the holder of a key, from a page or an address', async () => {
    const { apiKeyId } = await keyWith({ origins: ['https://app.example.com'] });
    const operation = (await newOperation(service.devnet, '0.7')) as never;
    const request = { method: 'pm_sponsorUserOperation' as const, params: [operation, sponsored] as never };
    const explain = (from: { apiKeyId?: string; origin?: string }) =>
      management.explainSponsorship({ apiKey: paymaster.apiKey, ...request, ...from });
    expect(await explain({})).toMatchObject({ outcome: 'signed' });
    expect(await explain({ apiKeyId })).toMatchObject({ outcome: 'signed' });
    expect(await explain({ apiKeyId, origin: 'https://app.example.com' })).toMatchObject({ outcome: 'signed' });
    expect(await explain({ apiKeyId, origin: 'https://evil.com' })).toMatchObject({ reason: 'ORIGIN_NOT_ALLOWED' });
    await expect(explain({ apiKeyId: 'unknown' })).rejects.toThrow('API key not found');
  });
});
