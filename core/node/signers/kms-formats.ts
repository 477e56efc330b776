import { createPublicKey } from 'node:crypto';
import * as Address from 'ox/Address';
import * as PublicKey from 'ox/PublicKey';
import * as Signature from 'ox/Signature';
import { type Address as AddressType, bytesToHex, getAddress } from 'viem';
import { StartError } from '../../domain/start-error.ts';
import { type RawSignature, SignerBackendError } from './signer-backend.ts';

/**
 * The address of a secp256k1 public key in X.509 form (SubjectPublicKeyInfo), as DER or PEM.
 *
 * @throws SignerBackendError when it is not such a key.
 */
export function readPublicKey(key: Uint8Array | string): AddressType {
  const { x = '', y = '' } = coordinatesOf(key);
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return getAddress(Address.fromPublicKey(PublicKey.fromHex(bytesToHex(point))));
}

function coordinatesOf(key: Uint8Array | string): { x?: string; y?: string } {
  try {
    const opened = createPublicKey(
      typeof key === 'string' ? key : { key: Buffer.from(key), format: 'der', type: 'spki' },
    );
    const coordinates = opened.export({ format: 'jwk' });
    if (coordinates.crv === 'secp256k1') return coordinates;
  } catch (cause) {
    throw new SignerBackendError('has no readable public key', { isWrong: true, cause });
  }
  throw new SignerBackendError('has a key of another curve than secp256k1', { isWrong: true });
}

/** Longest secp256k1 signature in DER, in bytes. */
const maxBytes = 72;

/**
 * The halves of a signature in DER (RFC 3279, section 2.2.3).
 *
 * @throws SignerBackendError when it is not one.
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

/**
 * Loads the client of a cloud provider, which only its users install.
 *
 * @throws StartError with what to install when it is missing.
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new StartError(
      `A signer needs the package ${name}, which is not installed. Run npm install ${name} in the folder of tollfree.`,
      { tryAgain: false, cause },
    );
  }
}
