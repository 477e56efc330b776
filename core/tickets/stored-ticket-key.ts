import { omitAbsent } from '@tollfree/contract/omit-absent';
import { importJWK, type JWK } from 'jose';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { TicketKey } from '../domain/tickets.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { TicketVerifier } from './ticket.ts';

type Row = Selectable<Database['ticket_keys']>;

const member = z.string().exactOptional();
const JwkSchema = z.strictObject({
  kty: z.string(),
  crv: member,
  x: member,
  y: member,
  n: member,
  e: member,
  kid: member,
  alg: member,
});

/** A stored key in the form that `Core` returns. */
export function toTicketKey(row: Row): TicketKey {
  const { kid, algorithms } = signingFacts(row);
  return {
    ticketKeyId: row.ticket_key_id,
    name: row.name,
    kind: row.kind,
    algorithms,
    audience: row.audience,
    createdAt: row.created_at,
    ...omitAbsent({
      kid,
      publicKeyJson: row.public_jwk ?? undefined,
      jwksUrl: row.jwks_url ?? undefined,
      issuer: row.issuer ?? undefined,
    }),
  };
}

/** A stored key in the form that verifies tickets. */
export function toTicketVerifier(row: Row, box: SecretBox): TicketVerifier {
  const { kid, algorithms } = signingFacts(row);
  const { ticket_key_id: ticketKeyId, name, audience } = row;
  const verifier = { ticketKeyId, name, audience, algorithms, ...omitAbsent({ kid, issuer: row.issuer ?? undefined }) };
  if (row.jwks_url !== null) return { ...verifier, jwksUrl: row.jwks_url };
  if (row.secret_sealed === null) return { ...verifier, jwk: publicJwkOf(row) };
  return { ...verifier, jwk: { kty: 'oct', k: box.open(row.secret_sealed, ticketKeySecretBinding(ticketKeyId)) } };
}

/** The `kid` of its tickets, and their allowed algorithms. */
function signingFacts(row: Row): { readonly kid: string | undefined; readonly algorithms: readonly string[] } {
  if (row.kind === 'HS256') return { kid: row.ticket_key_id, algorithms: ['HS256'] };
  if (row.kind === 'JWKS') return { kid: undefined, algorithms: publicKeyAlgorithms };
  const jwk = publicJwkOf(row);
  return { kid: jwk.kid, algorithms: keyAlgorithms(jwk) };
}

function publicJwkOf({ public_jwk, ticket_key_id }: Row): JWK {
  return readJsonColumn(JwkSchema, public_jwk ?? '', { table: 'ticket_keys', id: ticket_key_id });
}

/** Binds a sealed secret to its row. */
export function ticketKeySecretBinding(ticketKeyId: string): string {
  return `ticket_keys/${ticketKeyId}/secret`;
}

/** Signature algorithms of public keys (RFC 7518, RFC 8037, RFC 9864), by key type. */
const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const ofCurve: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
};

/** The algorithms of keys in a list behind a URL; each key only signs with those of its type. */
export const publicKeyAlgorithms: readonly string[] = [...rsa, ...Object.values(ofCurve).flat()];

/** The algorithms of a public key: its `alg` if it has one. Empty for a key with another purpose. */
function keyAlgorithms({ kty, crv = '', alg }: JWK): readonly string[] {
  const fitting = kty === 'RSA' ? rsa : kty === 'EC' || kty === 'OKP' ? (ofCurve[crv] ?? []) : [];
  return alg === undefined ? fitting : fitting.filter((one) => one === alg);
}

/** Members of a JWK that are secret (RFC 7518, 6.2.2, 6.3.2 and 6.4.1; RFC 8037). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
/** Bits of an RSA modulus: RFC 7518, 3.3. */
const minRsaBits = 2_048;
const maxRsaBits = 8_192;
/** Issuers use 65537. With an exponent as long as the modulus, a signature takes 30 times as long to verify. */
const maxExponentBits = 32;

/** What is wrong with an RSA key as the end of a sentence; undefined for a usable one, and for keys of other types. */
export function problemOfRsa({ kty, n, e }: Pick<JWK, 'kty' | 'n' | 'e'>): string | undefined {
  if (kty !== 'RSA') return undefined;
  const [modulus, exponent] = [n, e].map((text) => (typeof text === 'string' ? bitsOf(text) : 0));
  if (modulus === undefined || modulus < minRsaBits || modulus > maxRsaBits) {
    return `must have a modulus of ${minRsaBits} to ${maxRsaBits} bits`;
  }
  return exponent === undefined || exponent > maxExponentBits
    ? `must have an exponent of at most ${maxExponentBits} bits, such as 65537`
    : undefined;
}

function bitsOf(text: string): number {
  return Buffer.from(text, 'base64url').length * 8;
}

/** A public key with its algorithms, or the end of a sentence that begins with its field. */
type ReadJwk = { readonly jwk: JWK; readonly algorithms: readonly string[] } | { readonly problem: string };

/** Reads the application's public key for signatures. Only the members for verification are kept. */
export async function readPublicJwk(text: string): Promise<ReadJwk> {
  const sent = parseObject(text);
  if (sent === undefined) return { problem: 'must be a JSON object (RFC 7517)' };
  if (secretMembers.some((member) => member in sent)) {
    return {
      problem: 'must be a public key: it contains a private member, so generate another pair and send its public half',
    };
  }
  const { use, key_ops: operations } = sent;
  if (use !== undefined && use !== 'sig') return { problem: 'must be a key for signatures (use: sig)' };
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return { problem: 'must be a key that verifies (key_ops: verify)' };
  }
  const jwk = membersOf(sent);
  const algorithms = keyAlgorithms(jwk);
  if (algorithms.length === 0) {
    return { problem: 'must be of kty RSA, EC (P-256, P-384, P-521) or OKP (Ed25519), with an alg that fits it' };
  }
  const problem = problemOfRsa(jwk);
  if (problem !== undefined) return { problem };
  try {
    for (const algorithm of algorithms) await importJWK(jwk, algorithm);
    return { jwk, algorithms };
  } catch {
    return { problem: 'must hold a readable public key' };
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function membersOf(sent: Record<string, unknown>): JWK {
  const names = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg'] as const;
  const members = names.flatMap((name) => (typeof sent[name] === 'string' ? [[name, sent[name]] as const] : []));
  return { kty: '', ...Object.fromEntries(members) };
}
