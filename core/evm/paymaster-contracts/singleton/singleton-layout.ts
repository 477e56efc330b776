import { addressDigits, uintDigits } from '../../entry-point/hex-digits.ts';
import type { Grant } from '../family/family.ts';
import { singletonPostOpGas, singletonValidationGas } from './singleton-gas.ts';

/** First byte: the mode in the upper bits, and in the lowest that any bundler may carry the operation. */
const sponsoredForAllBundlers = '01';
const erc20ForAllBundlers = '03';
/** No constant fee, no recipient of a remainder, no part taken in advance. */
const plainErc20 = '00';

/**
 * The singleton's own part of `paymasterAndData` before the signature, as hex digits without `0x`. It starts at byte 20
 * in 0.6 and at byte 52 in 0.7 and up.
 *
 * - `SPONSORED` (13 bytes): `mode` (1) `‖ validUntil` (6) `‖ validAfter` (6);
 * - `ERC20` (118 bytes): `mode` (1) `‖ flags` (1) `‖ validUntil` (6) `‖ validAfter` (6) `‖ token` (20) `‖ postOpGas` (16)
 *   `‖ exchangeRate` (32) `‖ paymasterValidationGasLimit` (16) `‖ treasury` (20).
 *
 * Throws `RangeError` when a number does not fit its field.
 */
export function singletonData(grant: Grant): string {
  const window = uintDigits(grant.validUntil, 6) + uintDigits(grant.validAfter, 6);
  if (grant.mode === 'SPONSORED') return sponsoredForAllBundlers + window;
  return (
    erc20ForAllBundlers +
    plainErc20 +
    window +
    addressDigits(grant.token) +
    uintDigits(singletonPostOpGas, 16) +
    uintDigits(grant.exchangeRate, 32) +
    uintDigits(singletonValidationGas, 16) +
    addressDigits(grant.treasury)
  );
}
