import * as Signature from 'ox/Signature';
import { bytesToHex } from 'viem';
import type { RawSignature } from './signer-backend.ts';
import { SignerBackendError } from './signer-backend-error.ts';

/** Longest signature of secp256k1 in DER, in bytes. */
const maxBytes = 72;

/**
 * The halves of a signature in DER (RFC 3279, section 2.2.3).
 *
 * @throws KeyHolderError when it is none.
 */
export function readDerSignature(bytes: Uint8Array): RawSignature {
  try {
    if (bytes.length > maxBytes) throw new RangeError('It is too long.');
    const { r, s } = Signature.fromDerHex(bytesToHex(bytes));
    return { r: BigInt(r), s: BigInt(s) };
  } catch (cause) {
    throw new SignerBackendError('returned something that is not a signature', { isWrong: true, cause });
  }
}
