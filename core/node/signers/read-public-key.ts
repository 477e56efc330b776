import { createPublicKey } from 'node:crypto';
import * as Address from 'ox/Address';
import * as PublicKey from 'ox/PublicKey';
import { type Address as AddressType, bytesToHex, getAddress } from 'viem';
import { SignerBackendError } from './signer-backend-error.ts';

/**
 * Whose key it is: the address of a public key of secp256k1 in the form of X.509 (SubjectPublicKeyInfo), as DER or PEM.
 *
 * @throws KeyHolderError when it is none.
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
