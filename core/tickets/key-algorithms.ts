import type { JWK } from 'jose';

/** Signatures with a public key (RFC 7518, RFC 8037, RFC 9864), by what a key is. */
const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const ofCurve: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
};

/** What the keys of a list behind a URL may sign with: each of them only what it is for. */
export const publicKeyAlgorithms: readonly string[] = [...rsa, ...Object.values(ofCurve).flat()];

/** What a public key may sign with: its `alg` where it says one. Nothing for a key that is for something else. */
export function keyAlgorithms({ kty, crv = '', alg }: JWK): readonly string[] {
  const fitting = kty === 'RSA' ? rsa : kty === 'EC' || kty === 'OKP' ? (ofCurve[crv] ?? []) : [];
  return alg === undefined ? fitting : fitting.filter((one) => one === alg);
}
