import { createPublicKey } from 'node:crypto';
import { Secp256k1, Signature } from 'ox';
import { bytesToHex, type Hex, hexToBytes, numberToBytes, numberToHex } from 'viem';

/** The order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A public key as X.509 has it, written by OpenSSL. */
export function publicKeyOf(privateKey: Hex) {
  const { x, y } = Secp256k1.getPublicKey({ privateKey });
  const base64 = (half: Hex) => Buffer.from(numberToBytes(BigInt(half), { size: 32 })).toString('base64url');
  return createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x: base64(x), y: base64(y) }, format: 'jwk' });
}

/** A signature in DER. Those of a KMS have a high s as often as a low one. */
export function derSignature(privateKey: Hex, digest: Uint8Array, half: 'low' | 'high'): Buffer {
  const { r, s } = Secp256k1.sign({ payload: bytesToHex(digest), privateKey });
  const wanted = half === 'low' ? s : numberToHex(order - BigInt(s), { size: 32 });
  return Buffer.from(hexToBytes(Signature.toDerHex({ r, s: wanted })));
}
