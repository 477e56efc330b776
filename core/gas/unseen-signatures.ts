import type { Hex } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';

/** Gas of one more ECDSA signature: recovering its signer, reading whether that is an owner, and copying its bytes. */
const gasOfSignature = 7_000n;
/** Most signatures of an operation: the gas of all but the first stays within the room that every caller has. */
export const maxSignatures = 21;

const signatureDigits = 2 * 65;
/** Bytes in front of the signatures: validity times (12, Safe), the depth of a Merkle tree (1), or both. */
const prefixes = [0, 1, 12, 13];
/** Last bytes of a signature: recovery ids, plain and as Safes mark those of `eth_sign`. */
const recoveryIds = new Set(['00', '01', '1b', '1c', '1f', '20']);

/**
 * Gas of validation that a simulation with a dummy signature does not reach: accounts with several owners check one signature
 * after the other, and stop at the first that is wrong. Counts what was sent, since clients send as many dummies as signatures.
 */
export function unseenSignatureGas(signature: Hex): Result<bigint> {
  const count = countSignatures(signature);
  if (count <= 1) return accept(0n);
  if (count <= maxSignatures) return accept(gasOfSignature * BigInt(count - 1));
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `The operation has ${count} signatures. At most ${maxSignatures} are paid for. Lower the account's threshold.`,
    field: 'signature',
    details: { limit: 'maxSignatures', asked: count.toString(), max: maxSignatures.toString() },
  });
}

/** How many ECDSA signatures the bytes are; 0 if they are something else. */
function countSignatures(signature: Hex): number {
  const digits = signature.slice(2).toLowerCase();
  const list = prefixes.map((prefix) => digits.slice(2 * prefix)).find(isSignatures) ?? '';
  return list.length / signatureDigits;
}

function isSignatures(digits: string): boolean {
  if (digits.length % signatureDigits !== 0) return false;
  for (let end = signatureDigits; end <= digits.length; end += signatureDigits) {
    if (!recoveryIds.has(digits.slice(end - 2, end))) return false;
  }
  return true;
}
