import { addressDigits, uintDigits } from '../../abi/hex-digits.ts';
import type { Grant, PaymasterContract, TokenGrant } from '../family/family.ts';
import { singletonPostOpGas, singletonValidationGas } from './singleton-gas.ts';

/** First byte: the mode in the upper bits; the lowest bit allows any bundler to carry the operation. */
const modes = { SPONSORED: { anyBundler: '01', bound: '00' }, ERC20: { anyBundler: '03', bound: '02' } } as const;
/** The flags of token mode, and the fields that they announce after the treasury, as hex digits. */
export type SingletonTerms = { readonly flags: string; readonly fields: (grant: TokenGrant) => string };

/** No constant fee, no remainder recipient, nothing in advance. */
export const plainTerms: SingletonTerms = { flags: '00', fields: () => '' };
/** A part in advance, possibly zero, and no fee. The data is always as long as its stub. */
export const advanceTerms: SingletonTerms = advanceAndFee(0n);
/**
 * The terms of estimation: a fee of one base unit. Bundlers estimate at 1 wei per gas, where the charge rounds to zero in a
 * token with few decimals. Without the fee, `postOp` would make no transfer and its estimated limit would be too low.
 */
export const stubTerms: SingletonTerms = advanceAndFee(1n);

function advanceAndFee(constantFee: bigint): SingletonTerms {
  return {
    flags: '05',
    fields: ({ inAdvance = 0n }) => uintDigits(inAdvance, 16) + uintDigits(constantFee, 16),
  };
}

/**
 * The singleton's own part of `paymasterAndData` before the signature, as hex digits without `0x`. It starts at byte 20 in
 * 0.6 and at byte 52 in 0.7 and up.
 *
 * - `SPONSORED` (13 bytes): `mode` (1) `‖ validUntil` (6) `‖ validAfter` (6);
 * - `ERC20` (118 bytes): `mode` (1) `‖ flags` (1) `‖ validUntil` (6) `‖ validAfter` (6) `‖ token` (20) `‖ postOpGas` (16) `‖
 *   exchangeRate` (32) `‖ paymasterValidationGasLimit` (16) `‖ treasury` (20), and with {@link advanceTerms} `‖ preFund`
 *   (16) `‖ constantFee` (16).
 *
 * With named bundlers, the contract only accepts the operation in a transaction of a bundler that it also allows
 * (`isBundlerAllowed`).
 *
 * Throws `RangeError` when a number does not fit its field.
 */
export function singletonData(
  { bundlers }: Pick<PaymasterContract, 'bundlers'>,
  grant: Grant,
  { flags, fields }: SingletonTerms,
): string {
  const mode = modes[grant.mode][bundlers === undefined ? 'anyBundler' : 'bound'];
  const window = uintDigits(grant.validUntil, 6) + uintDigits(grant.validAfter, 6);
  if (grant.mode === 'SPONSORED') return mode + window;
  return (
    mode +
    flags +
    window +
    addressDigits(grant.token) +
    uintDigits(singletonPostOpGas, 16) +
    uintDigits(grant.exchangeRate, 32) +
    uintDigits(singletonValidationGas, 16) +
    addressDigits(grant.treasury) +
    fields(grant)
  );
}
