import * as Secp256k1 from 'ox/Secp256k1';
import { type Address, concat, type Hex, isAddressEqual, numberToHex } from 'viem';
import { messageHash } from '../../evm/signer/message-hash.ts';
import type { RawSignature } from './signer-backend.ts';
import { SignerBackendError } from './signer-backend-error.ts';

/** The order of the curve secp256k1 (SEC 2, version 2.0, section 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The signature as contracts take it: 65 bytes, low s (EIP-2), v 27 or 28. Which of the two keys that fit it is ours is
 * found by recovering them, so that nothing leaves that another key has signed, or that was signed of something else.
 *
 * @throws KeyHolderError when it is not a signature of this digest by this address.
 */
export function finishSignature({ r, s }: RawSignature, digest: Hex, address: Address): Hex {
  const payload = messageHash(digest);
  const low = { r, s: s > order / 2n ? order - s : s };
  const yParity = ([0, 1] as const).find((parity) => isSignedBy(address, payload, { ...low, yParity: parity }));
  if (yParity === undefined) {
    throw new SignerBackendError(
      'returned something that is not a signature of this digest by the configured address',
      {
        isWrong: true,
      },
    );
  }
  return concat([half(low.r), half(low.s), yParity === 0 ? '0x1b' : '0x1c']);
}

function isSignedBy(
  address: Address,
  payload: Hex,
  { r, s, yParity }: RawSignature & { readonly yParity: 0 | 1 },
): boolean {
  try {
    return isAddressEqual(
      Secp256k1.recoverAddress({ payload, signature: { r: half(r), s: half(s), yParity } }),
      address,
    );
  } catch {
    // Neither half may be 0 or reach the order, and not every r is the coordinate of a point.
    return false;
  }
}

function half(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}
