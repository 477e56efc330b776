import { createHmac } from 'node:crypto';
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  generateSecret,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { maxTicketLength, maxTicketLifetimeSeconds, ticketClockToleranceSeconds } from '../../contract/limits.ts';
import { accept } from '../../core/domain/result/result.ts';
import type { TicketVerifier } from '../../core/tickets/ticket.ts';
import { verifyTicket } from '../../core/tickets/verify-ticket.ts';

const now = 1_800_000_000;
const paymasterId = 'pm-1';
const sender = '0x1111111111111111111111111111111111111111';
const claims = { sub: 'alice', aud: paymasterId, exp: now + 600 };

type Signing = Parameters<SignJWT['sign']>[0];
let secret: Signing;
let es256: { privateKey: Signing; publicKey: Signing };
let other: { privateKey: Signing };
let hmacOnly: TicketVerifier;
let publicOnly: TicketVerifier;
let publicText: string;

beforeAll(async () => {
  const shared = await generateSecret('HS256', { extractable: true });
  const pair = await generateKeyPair('ES256', { extractable: true });
  secret = shared;
  es256 = pair;
  other = await generateKeyPair('ES256');
  const named = { audience: paymasterId };
  hmacOnly = {
    ...named,
    ticketKeyId: 'k1',
    name: 'shared',
    kid: 'k1',
    algorithms: ['HS256'],
    jwk: await exportJWK(shared),
  };
  publicOnly = {
    ...named,
    ticketKeyId: 'k2',
    name: 'pair',
    kid: 'k2',
    algorithms: ['ES256'],
    jwk: await exportJWK(pair.publicKey),
  };
  publicText = await exportSPKI(pair.publicKey);
});

const noLists = { findKey: async () => expect.fail('No list of keys is asked for') };

function verify(ticket: string, verifiers: readonly TicketVerifier[] = [publicOnly, hmacOnly], at = now) {
  return verifyTicket(ticket, { accountId: 'account', paymasterId, verifiers, jwks: noLists, now: at });
}

async function refused(ticket: string, verifiers?: readonly TicketVerifier[]): Promise<string> {
  const result = await verify(ticket, verifiers);
  return result.ok ? 'taken' : result.refusal.reason;
}

function sign(payload: JWTPayload, header: Partial<JWTHeaderParameters> = {}, key: Signing = es256.privateKey) {
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);
}

/** A token of any content, signed as HS256 would be with any bytes. */
function forge(header: object, payload: object, key?: string | Uint8Array): string {
  const parts = [header, payload].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  return `${parts}.${key === undefined ? '' : createHmac('sha256', key).update(parts).digest('base64url')}`;
}

it('takes a ticket of any key of the paymaster, named by kid or not, and reads what it says', async () => {
  const full = {
    sender,
    calls: [{ to: sender, selector: '0xa9059cbb' }],
    uses: 2,
    budget: { wei: '5000', usd: '0.5' },
    jti: 'one',
    label: 'spring',
    azp: 'web',
    unknown: [1],
  };
  const read = {
    expiresAt: now + 600,
    sender,
    calls: [{ to: sender, selector: '0xa9059cbb' }],
    uses: 2n,
    label: 'spring',
    budgetWei: 5_000n,
    budgetUsdMicros: 500_000n,
    authorizedParty: 'web',
  };
  expect(await verify(await sign({ ...claims, ...full }))).toEqual(
    accept({
      ...read,
      keyName: 'pair',
      user: expect.stringMatching(/^subject:[\w-]{43}$/),
      counted: expect.stringMatching(/^ticket:[\w-]{43}$/),
    }),
  );
  const plain = await verify(
    await sign({ ...claims, aud: ['else', paymasterId] }, { alg: 'HS256', kid: 'k1' }, secret),
  );
  expect(plain).toEqual(accept({ keyName: 'shared', user: expect.any(String), expiresAt: now + 600 }));
});

it('knows a user by paymaster, issuer and sub, whichever key signed', async () => {
  const subjectOf = async (payload: JWTPayload, verifiers?: readonly TicketVerifier[], key?: Signing) => {
    const alg = key === undefined ? 'ES256' : 'HS256';
    const result = await verify(await sign({ ...claims, ...payload }, { alg }, key), verifiers);
    return result.ok ? result.value.user : result.refusal.reason;
  };
  const alice = await subjectOf({});
  expect(await subjectOf({}, undefined, secret)).toBe(alice);
  expect(await subjectOf({ sub: 'Alice' })).not.toBe(alice);
  expect(await subjectOf({ iss: 'https://id.example' }, [{ ...publicOnly, issuer: 'https://id.example' }])).not.toBe(
    alice,
  );
});

it('refuses each ticket that is not good with its own reason', async () => {
  const good = await sign(claims);
  const [head = '', body = '', signature = ''] = good.split('.');
  const cases: Readonly<
    Record<string, readonly [reason: string, ticket: string, verifiers?: readonly TicketVerifier[]]>
  > = {
    'not a JWT': ['TICKET_MALFORMED', 'hello'],
    encrypted: ['TICKET_MALFORMED', `${head}.${body}.${body}.${body}.${signature}`],
    'a payload that is no object': ['TICKET_MALFORMED', `${head}.${base64url.encode('[]')}.${signature}`],
    'too long': ['TICKET_MALFORMED', `${good}${'A'.repeat(maxTicketLength)}`],
    'alg none': ['TICKET_ALGORITHM_NOT_ALLOWED', forge({ alg: 'none' }, claims)],
    'alg none in capitals': ['TICKET_ALGORITHM_NOT_ALLOWED', forge({ alg: 'NONE' }, claims)],
    'no alg': ['TICKET_MALFORMED', forge({}, claims)],
    'HS256 with the text of a public key': [
      'TICKET_ALGORITHM_NOT_ALLOWED',
      forge({ alg: 'HS256', kid: 'k2' }, claims, publicText),
    ],
    'HS256 with the public key where no shared one is registered': [
      'TICKET_ALGORITHM_NOT_ALLOWED',
      forge({ alg: 'HS256' }, claims, JSON.stringify('jwk' in publicOnly && publicOnly.jwk)),
      [publicOnly],
    ],
    'ES256 in the name of a shared secret': [
      'TICKET_ALGORITHM_NOT_ALLOWED',
      await sign(claims, { kid: 'k1' }, other.privateKey),
    ],
    'an unknown kid': ['TICKET_KEY_NOT_KNOWN', await sign(claims, { kid: '../../k2' })],
    'another key': ['TICKET_SIGNATURE_WRONG', await sign(claims, { kid: 'k2' }, other.privateKey)],
    'a key in the header': [
      'TICKET_SIGNATURE_WRONG',
      await sign(
        claims,
        {
          jwk: await exportJWK(es256.publicKey as CryptoKey),
          jku: 'https://evil.example',
          x5u: 'https://evil.example',
        },
        other.privateKey,
      ),
    ],
    'another body': [
      'TICKET_SIGNATURE_WRONG',
      `${head}.${base64url.encode(JSON.stringify({ ...claims, sub: 'bob' }))}.${signature}`,
    ],
    'no keys at all': ['TICKET_ALGORITHM_NOT_ALLOWED', good, []],
    'a crit extension': ['TICKET_MALFORMED', forge({ alg: 'ES256', crit: ['b64'], b64: true }, claims, 'x')],
    'a logout token': ['TICKET_MALFORMED', await sign(claims, { typ: 'logout+jwt' })],
    'another paymaster': ['TICKET_FOR_ANOTHER', await sign({ ...claims, aud: 'pm-2' })],
    'another issuer': [
      'TICKET_FOR_ANOTHER',
      await sign({ ...claims, iss: 'https://else.example' }),
      [{ ...publicOnly, issuer: 'https://id.example' }],
    ],
    'no audience': ['TICKET_MALFORMED', await sign({ sub: 'alice', exp: now + 600 })],
    'no subject': ['TICKET_MALFORMED', await sign({ aud: paymasterId, exp: now + 600 })],
    'no end': ['TICKET_MALFORMED', await sign({ sub: 'alice', aud: paymasterId })],
    'an end that is text': [
      'TICKET_MALFORMED',
      forge({ alg: 'HS256', kid: 'k1' }, { ...claims, exp: `${now + 600}` }, await secretBytes()),
    ],
    'expired a second ago': ['TICKET_EXPIRED', await sign({ ...claims, exp: now - 1 })],
    'expiring now': ['TICKET_EXPIRED', await sign({ ...claims, exp: now })],
    'of the future': ['TICKET_NOT_YET_VALID', await sign({ ...claims, nbf: now + ticketClockToleranceSeconds + 1 })],
    'issued in the future': [
      'TICKET_NOT_YET_VALID',
      await sign({ ...claims, iat: now + ticketClockToleranceSeconds + 1 }),
    ],
    'good for too long': ['TICKET_LIVES_TOO_LONG', await sign({ ...claims, exp: now + maxTicketLifetimeSeconds + 1 })],
    'good for ever': ['TICKET_LIVES_TOO_LONG', await sign({ ...claims, exp: 1e300 })],
    'a huge subject': ['TICKET_MALFORMED', await sign({ ...claims, sub: 'a'.repeat(300) })],
    'uses that nothing counts': ['TICKET_MALFORMED', await sign({ ...claims, uses: 1 })],
    'no uses': ['TICKET_MALFORMED', await sign({ ...claims, jti: 'one', uses: 0 })],
    'uses that are text': ['TICKET_MALFORMED', await sign({ ...claims, jti: 'one', uses: '1' })],
    'a negative budget': ['TICKET_MALFORMED', await sign({ ...claims, jti: 'one', budget: { wei: '-1' } })],
    'a misspelled budget': ['TICKET_MALFORMED', await sign({ ...claims, jti: 'one', budget: { eth: '1' } })],
    'a misspelled call': ['TICKET_MALFORMED', await sign({ ...claims, calls: [{ to: sender, method: 'x' }] })],
    'no calls': ['TICKET_MALFORMED', await sign({ ...claims, calls: [] })],
    'a label that turns the text around': ['TICKET_MALFORMED', await sign({ ...claims, label: 'a\u202Eb' })],
  };
  const found = await Promise.all(
    Object.entries(cases).map(async ([name, [, ticket, verifiers]]) => [name, await refused(ticket, verifiers)]),
  );
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(cases).map(([name, [reason]]) => [name, reason])),
  );
});

async function secretBytes(): Promise<Uint8Array> {
  return base64url.decode('jwk' in hmacOnly ? (hmacOnly.jwk.k ?? '') : '');
}

it('takes a ticket that ends far away only once that is near, and counts it by that end', async () => {
  const exp = now + 30 * 86_400;
  const ticket = await sign({ ...claims, exp, jti: 'far', uses: 1 });
  const outcomes = [now, exp - maxTicketLifetimeSeconds - 1, exp - maxTicketLifetimeSeconds, exp - 1, exp].map(
    async (at) => {
      const result = await verify(ticket, undefined, at);
      return result.ok ? result.value.expiresAt : result.refusal.reason;
    },
  );
  const far = 'TICKET_LIVES_TOO_LONG';
  expect(await Promise.all(outcomes)).toEqual([far, far, exp, exp, 'TICKET_EXPIRED']);
});

it('takes no token of a login that never ends', async () => {
  const issuer = 'https://id.example';
  const { ticketKeyId, name, audience } = publicOnly;
  const login = { ticketKeyId, name, audience, issuer, algorithms: ['ES256'], jwksUrl: `${issuer}/jwks` };
  const jwks = { findKey: async () => accept(es256.publicKey as CryptoKey) };
  const outcomeOf = async (payload: JWTPayload) => {
    const ticket = await sign({ sub: 'alice', aud: paymasterId, iss: issuer, iat: now, ...payload });
    const result = await verifyTicket(ticket, { accountId: 'account', paymasterId, verifiers: [login], jwks, now });
    return result.ok ? 'taken' : [result.refusal.reason, result.refusal.message];
  };
  expect(await outcomeOf({ exp: now + 600 })).toBe('taken');
  expect(await outcomeOf({})).toEqual(['TICKET_MALFORMED', 'The ticket’s exp is required.']);
  expect(await outcomeOf({ exp: 1e300 })).toMatchObject(['TICKET_LIVES_TOO_LONG', expect.any(String)]);
});

it('takes what a clock that is a little ahead has made', async () => {
  const ahead = now + ticketClockToleranceSeconds;
  expect(await refused(await sign({ ...claims, nbf: ahead, iat: ahead }))).toBe('taken');
});

it('repeats nothing of a ticket that it refuses', async () => {
  const result = await verify(await sign({ ...claims, sub: 'alice@example.org', sender: 'bob@example.org' }));
  expect(JSON.stringify(result)).not.toContain('example.org');
});
