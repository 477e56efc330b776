import * as PersonalMessage from 'ox/PersonalMessage';
import * as Secp256k1 from 'ox/Secp256k1';
import { type Address, checksumAddress, hexToBigInt, hexToNumber, isHex, slice, stringToHex } from 'viem';

/** Order of secp256k1 (SEC 2, section 2.4.1). */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The externally owned account, checksummed, that signed `message` (EIP-191, version 0x45). Undefined when `signature` is
 * not in canonical form: 65 bytes, r ‖ s ‖ v, with r and s in range, s in the lower half (EIP-2) and v 27 or 28. Other forms
 * that wallets and libraries tolerate would let one consent have several signatures.
 */
export function recoverMessageSigner(message: string, signature: string): Address | undefined {
  if (!isHex(signature) || signature.length !== 2 + 65 * 2) return undefined;
  const r = slice(signature, 0, 32);
  const s = slice(signature, 32, 64);
  const v = hexToNumber(slice(signature, 64, 65));
  if (hexToBigInt(r) === 0n || hexToBigInt(r) >= curveOrder) return undefined;
  if (hexToBigInt(s) === 0n || hexToBigInt(s) > curveOrder / 2n) return undefined;
  if (v !== 27 && v !== 28) return undefined;
  const payload = PersonalMessage.getSignPayload(stringToHex(message));
  try {
    return checksumAddress(Secp256k1.recoverAddress({ payload, signature: { r, s, yParity: v - 27 } }));
  } catch {
    // r is not the x coordinate of a point, or the point is at infinity.
    return undefined;
  }
}
