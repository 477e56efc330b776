import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createJwksCache, type JwksCache, jwksLimits } from '../../core/tickets/jwks-cache.ts';
import { publicKeyAlgorithms } from '../../core/tickets/stored-ticket-key.ts';
import { verifyTicket } from '../../core/tickets/verify-ticket.ts';
import { createGuardedGet } from '../../core/webhooks/guarded-get.ts';
import { type OidcIssuer, startOidcIssuer } from '../support/servers/oidc-issuer.ts';

const audience = 'https://app.example';
const loopback = { allowHttp: true, allowedRanges: ['127.0.0.0/8'], timeoutMs: 2_000, connectTimeoutMs: 500 };

let provider: OidcIssuer;
let jwksCache: JwksCache;
/** Seconds that have passed since the beginning, by the service's clock. */
let passed: number;

beforeAll(async () => {
  provider = await startOidcIssuer();
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.setAway(false);
  passed = 0;
  const clock = { now: () => Date.now() + passed * 1_000 };
  jwksCache = createJwksCache({ get: createGuardedGet(loopback, jwksLimits), clock });
});

/** What becomes of a token now: the reason of a refusal, or that it is taken. Its own time goes on with the real clock. */
async function outcomeOf(token: string, jwks = jwksCache): Promise<string> {
  const key = { ticketKeyId: 'k', name: 'login', algorithms: publicKeyAlgorithms, issuer: provider.issuer, audience };
  const verifiers = [{ ...key, jwksUrl: provider.jwksUrl }];
  const now = Math.floor(Date.now() / 1_000);
  const result = await verifyTicket(token, { accountId: 'account', paymasterId: 'pm', verifiers, jwks, now });
  return result.ok ? 'taken' : result.refusal.reason;
}

test('a token of a real provider is a ticket for the audience that was said, and its list is asked for once', async () => {
  const before = provider.listed();
  const tokens = await Promise.all([1, 2, 3].map(() => provider.token(audience)));
  expect(await Promise.all(tokens.map((token) => outcomeOf(token)))).toEqual(['taken', 'taken', 'taken']);
  expect(await outcomeOf(await provider.token('https://other.example'))).toBe('TICKET_FOR_ANOTHER');
  expect(provider.listed() - before).toBe(1);
});

test('a new key of the provider is found when it is needed, the old one is not taken any more', async () => {
  const old = await provider.token(audience);
  expect(await outcomeOf(old)).toBe('taken');
  await provider.rotate();
  passed += jwksLimits.minSecondsBetween;
  expect(await outcomeOf(await provider.token(audience))).toBe('taken');
  expect(await outcomeOf(old)).toBe('TICKET_KEY_NOT_KNOWN');
});

test('a key in a list that takes long to verify with is none', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const usual = { ...(await exportJWK(publicKey)), kid: 'usual', alg: 'RS256' };
  const slow = { ...usual, kid: 'slow', e: Buffer.alloc(256, 0x33).toString('base64url') };
  const get = async () => ({ status: 200, text: JSON.stringify({ keys: [usual, slow] }) });
  const cache = createJwksCache({ get, clock: { now: () => Date.now() } });
  const token = (kid: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(provider.issuer)
      .setAudience(audience)
      .setSubject('user')
      .setExpirationTime('1h')
      .sign(privateKey);
  expect(await outcomeOf(await token('usual'), cache)).toBe('taken');
  expect(await outcomeOf(await token('slow'), cache)).toBe('TICKET_KEY_NOT_KNOWN');
});

test('whatever kids tickets name, the list is asked for seldom', async () => {
  expect(await outcomeOf(await provider.token(audience))).toBe('taken');
  const before = provider.listed();
  const [, payload, signature] = (await provider.token(audience)).split('.');
  const forged = Array.from({ length: 50 }, (_, index) => {
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: `made up ${index}` })).toString('base64url');
    return `${header}.${payload}.${signature}`;
  });
  passed += jwksLimits.minSecondsBetween;
  expect(new Set(await Promise.all(forged.map((ticket) => outcomeOf(ticket))))).toEqual(
    new Set(['TICKET_KEY_NOT_KNOWN']),
  );
  expect(provider.listed() - before).toBe(1);
});

test('while the provider is away its last list stands, for so long and no longer', async () => {
  const token = await provider.token(audience);
  expect(await outcomeOf(token)).toBe('taken');
  provider.setAway(true);
  passed += jwksLimits.maxStaleSeconds - 10;
  expect(await outcomeOf(token)).toBe('taken');
  passed += 11;
  expect(await outcomeOf(token)).toBe('TICKET_KEYS_UNAVAILABLE');
  provider.setAway(false);
  passed += jwksLimits.minSecondsBetween;
  expect(await outcomeOf(token)).toBe('taken');
});

test('what answers no list of keys, or is at a private address, is an outage and not an approval', async () => {
  const token = await provider.token(audience);
  const clock = { now: () => Date.now() };
  const answers = [
    { status: 200, text: 'not JSON' },
    { status: 200, text: '{"keys":{}}' },
    { status: 200, text: '{"keys":[null]}' },
    { status: 302, text: '{"keys":[]}' },
    { problem: 'did not answer' },
  ];
  for (const answer of answers) {
    const get = vi.fn(async () => answer);
    expect(await outcomeOf(token, createJwksCache({ get, clock })), JSON.stringify(answer)).toBe(
      'TICKET_KEYS_UNAVAILABLE',
    );
    expect(get).toHaveBeenCalledOnce();
  }
  const guarded = createGuardedGet({ ...loopback, allowedRanges: [] }, jwksLimits);
  expect(await outcomeOf(token, createJwksCache({ get: guarded, clock }))).toBe('TICKET_KEYS_UNAVAILABLE');
});

test('another account’s tickets neither evict a list nor delay that it is asked for again', async () => {
  const asked: string[] = [];
  const keys = createJwksCache({
    get: async (url) => {
      asked.push(url.href);
      return { status: 200, text: JSON.stringify({ keys: [] }) };
    },
    clock: { now: () => passed * 1_000 },
  });
  const find = (accountId: string, url: string) => keys.findKey({ accountId, url }, { alg: 'ES256', kid: 'none' });
  const url = 'https://login.example/keys';
  passed = 100_000;
  await find('honest', url);
  for (let index = 0; index < jwksLimits.maxLists + 50; index += 1) {
    await find('flooder', `https://flood.example/${index}`);
  }
  asked.length = 0;
  passed += jwksLimits.minSecondsBetween - 1;
  await find('honest', url);
  expect(asked, 'it is there still').toEqual([]);
  passed += 1;
  await find('flooder', url);
  await find('honest', url);
  expect(asked).toEqual([url, url]);
});
