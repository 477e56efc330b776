import { importJWK, type JWK } from 'jose';

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
export function keyAlgorithms({ kty, crv = '', alg }: JWK): readonly string[] {
  const fitting = kty === 'RSA' ? rsa : kty === 'EC' || kty === 'OKP' ? (ofCurve[crv] ?? []) : [];
  return alg === undefined ? fitting : fitting.filter((one) => one === alg);
}

/** Members of a JWK that are secret (RFC 7518, 6.2.2, 6.3.2 and 6.4.1; RFC 8037). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
/** Bits of an RSA modulus: RFC 7518, 3.3. */
const minRsaBits = 2_048;
const maxRsaBits = 8_192;

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
  const bits = jwk.kty === 'RSA' ? Buffer.from(jwk.n ?? '', 'base64url').length * 8 : minRsaBits;
  if (bits < minRsaBits || bits > maxRsaBits) {
    return { problem: `must have a modulus of ${minRsaBits} to ${maxRsaBits} bits` };
  }
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
