import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { maxTicketKeys } from '../../contract/limits.ts';
import { verifyTicket } from '../../core/tickets/verify-ticket.ts';
import { accepted, newPaymaster, refusalOf, startManagement, startTime } from '../support/core/start-management.ts';

async function start() {
  const { management, profiles, store } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const { paymasterId } = owned;
  /** What becomes of a ticket that a key signs, with the keys that sponsorships know. */
  const taken = async (jwk: JWK, alg: string, ticket: Record<string, unknown> = {}) => {
    const claims = { sub: 'alice', aud: paymasterId, exp: startTime + 60, ...ticket };
    const text = await new SignJWT(claims).setProtectedHeader({ alg }).sign(await importJWK(jwk, alg));
    const verifiers = (await profiles.find(paymaster.apiKey))?.ticketKeys ?? [];
    const jwks = { findKey: async () => expect.fail('No list of keys is asked for') };
    const result = await verifyTicket(text, { accountId: 'account', paymasterId, verifiers, jwks, now: startTime });
    return result.ok ? result.value.keyName : result.refusal.reason;
  };
  return { management, owned, store, taken };
}

/** Of a JWK that was told once. */
function reported({ secretJson = '{}' }: { readonly secretJson?: string }): JWK {
  return JSON.parse(secretJson);
}

test('a key that is made here signs tickets from then on, is told once, and none after it is deleted', async () => {
  const { management, owned, taken } = await start();
  const shared = accepted(await management.createTicketKey({ ...owned, name: 'shared', kind: 'HS256' }));
  const pair = accepted(await management.createTicketKey({ ...owned, name: 'pair', kind: 'ES256' }));
  const edwards = accepted(await management.createTicketKey({ ...owned, name: 'edwards', kind: 'EDDSA' }));
  expect(await taken(reported(shared), 'HS256')).toBe('shared');
  expect(await taken(reported(pair), 'ES256')).toBe('pair');
  expect(await taken(reported(edwards), 'EdDSA')).toBe('edwards');

  const listed = JSON.stringify(accepted(await management.listTicketKeys(owned)));
  for (const secret of [reported(shared).k, reported(pair).d, reported(edwards).d]) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(listed).not.toContain(secret);
  }
  accepted(await management.deleteTicketKey({ ...owned, ticketKeyId: pair.record.ticketKeyId }));
  expect(await taken(reported(pair), 'ES256')).toBe('TICKET_ALGORITHM_NOT_ALLOWED');
  const again = await management.deleteTicketKey({ ...owned, ticketKeyId: pair.record.ticketKeyId });
  expect(refusalOf(again)).toBe('TICKET_KEY_NOT_FOUND: Ticket key not found');
});

test('a shared secret is sealed in the store', async () => {
  const { management, owned, store } = await start();
  const { k = '' } = reported(accepted(await management.createTicketKey({ ...owned, name: 'shared', kind: 'HS256' })));
  const rows = await store.db.selectFrom('ticket_keys').selectAll().execute();
  expect(rows.map(({ secret_sealed }) => secret_sealed?.length)).toEqual([expect.any(Number)]);
  const written = rows.map((row) => `${JSON.stringify(row)}${Buffer.from(row.secret_sealed ?? []).toString('latin1')}`);
  expect(written.join()).not.toContain(k);
  expect(Buffer.from(rows[0]?.secret_sealed ?? []).includes(Buffer.from(k, 'base64url'))).toBe(false);
});

test('the application’s own key is taken as it is, with the issuer and the audience it says', async () => {
  const { management, owned, taken } = await start();
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const own = await exportJWK(privateKey);
  const sent = { ...(await exportJWK(publicKey)), kid: 'mine', use: 'sig', x5c: ['not kept'] };
  const key = {
    ...owned,
    name: 'own',
    kind: 'JWK',
    publicKeyJson: JSON.stringify(sent),
    issuer: 'shop',
    audience: 'gas',
  };
  const { record, secretJson } = accepted(await management.createTicketKey(key));
  expect(secretJson).toBeUndefined();
  expect(record).toMatchObject({ kid: 'mine', issuer: 'shop', audience: 'gas' });
  expect(record.algorithms).toContain('PS256');
  expect(record.publicKeyJson).not.toContain('not kept');
  expect(await taken(own, 'RS256', { aud: 'gas', iss: 'shop' })).toBe('own');
  expect(await taken(own, 'RS256', { iss: 'shop' })).toBe('TICKET_FOR_ANOTHER');
  expect(await taken(own, 'RS256', { aud: 'gas' })).toBe('TICKET_MALFORMED');
});

test('what is no key for tickets is refused with a sentence, and nothing is kept', async () => {
  const { management, owned } = await start();
  const es256 = await generateKeyPair('ES256', { extractable: true });
  const secretJwk = await exportJWK(es256.privateKey);
  const publicJwk = await exportJWK(es256.publicKey);
  const modulus = Buffer.alloc(384, 0x77).toString('base64url');
  const jwk = (key: object) => ({ kind: 'JWK', publicKeyJson: JSON.stringify(key) });
  const list = { kind: 'JWKS', issuer: 'https://id.example', audience: 'app' };
  const cases: readonly (readonly [input: object, refusal: RegExp])[] = [
    [{ kind: 'RSA' }, /kind must be HS256/],
    [{ kind: 'HS256', name: ' ' }, /name must be/],
    [{ kind: 'HS256', audience: '' }, /audience must have/],
    [{ kind: 'HS256', publicKeyJson: '{}' }, /publicKey is not allowed for HS256/],
    [{ kind: 'JWK' }, /publicKey must be an object/],
    [{ kind: 'JWK', publicKeyJson: '[]' }, /publicKey must be a JSON object/],
    [jwk(secretJwk), /contains a private member/],
    [jwk({ kty: 'oct', k: 'AAAA' }), /contains a private member/],
    [jwk({ ...publicJwk, use: 'enc' }), /use: sig/],
    [jwk({ ...publicJwk, key_ops: ['encrypt'] }), /key_ops: verify/],
    [jwk({ ...publicJwk, alg: 'HS256' }), /with an alg that fits it/],
    [jwk({ ...publicJwk, crv: 'secp256k1' }), /must be of kty/],
    [jwk({ ...publicJwk, x: 'AAAA' }), /readable public key/],
    [jwk({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }), /modulus of 2048/],
    [jwk({ kty: 'RSA', n: modulus, e: modulus }), /exponent of at most 32 bits/],
    [jwk({ ...publicJwk, extra: 'x'.repeat(9_000) }), /at most 8192 bytes/],
    [{ kind: 'JWKS', issuer: 'https://id.example' }, /audience is required/],
    [list, /jwksUrl must be a valid URL/],
    [{ ...list, jwksUrl: 'https://user:secret@id.example/' }, /jwksUrl must be a valid URL/],
    [{ ...list, jwksUrl: 'https://169.254.169.254/keys' }, /JWKS_URL_NOT_REACHABLE/],
    [{ kind: 'ES256', jwksUrl: 'https://id.example/' }, /jwksUrl is not allowed for ES256/],
  ];
  for (const [input, refusal] of cases) {
    const result = await management.createTicketKey({ ...owned, name: 'key', kind: '', ...input });
    expect(refusalOf(result), JSON.stringify(input)).toMatch(refusal);
  }
  expect(accepted(await management.listTicketKeys(owned))).toEqual([]);
});

test('names are unique and keys are few', async () => {
  const { management, owned } = await start();
  const create = (name: string) => management.createTicketKey({ ...owned, name, kind: 'HS256' });
  for (let made = 0; made < maxTicketKeys; made += 1) accepted(await create(`key ${made}`));
  expect(refusalOf(await create('one more'))).toMatch(/^TOO_MANY_TICKET_KEYS/);
  const [first] = accepted(await management.listTicketKeys(owned));
  accepted(await management.deleteTicketKey({ ...owned, ticketKeyId: first?.ticketKeyId ?? '' }));
  expect(refusalOf(await create('key 1'))).toMatch(/^TICKET_KEY_NAME_EXISTS/);
});
