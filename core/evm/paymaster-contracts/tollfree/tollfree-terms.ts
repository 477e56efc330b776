import { type Address, getAddress, type Hex, size, slice } from 'viem';
import { addressDigits, uintDigits } from '../../abi/hex-digits.ts';
import type { Grant, PaymasterContract, PromisedTerms, TokenPermit } from '../family/family.ts';
import { packedWindow } from '../family/signed-fields.ts';
import { tollfreePostOpGas } from './tollfree-gas.ts';

/** Bits of the first byte. */
const tokenMode = 1;
const namedBundlers = 2;
const trailingSignature = 4;
const withPermit = 8;

const sponsoredBytes = 13;
const tokenBytes = 89;
/** Bytes of a permit before its signature. */
const permitHeadBytes = 66;

/**
 * The terms of `TollfreePaymaster`, as hex digits without `0x`. They follow the 52 bytes of the EntryPoint.
 *
 * - `SPONSORED` (13 bytes): `kind` (1) `‖ validUntil` (6) `‖ validAfter` (6);
 * - `ERC20` (89 bytes): the same `‖ token` (20) `‖ rate` (16) `‖ treasury` (20) `‖ advance` (16) `‖ overhead` (4);
 * - then a permit: `value` (32) `‖ deadline` (32) `‖ length` (2) `‖ signature` (length).
 *
 * Throws `RangeError` when a number does not fit its field.
 */
export function tollfreeTerms({ bundlers }: Pick<PaymasterContract, 'bundlers'>, grant: Grant): string {
  const kind =
    (grant.mode === 'ERC20' ? tokenMode : 0) +
    (bundlers === undefined ? 0 : namedBundlers) +
    (grant.signatureTrails === true ? trailingSignature : 0) +
    (grant.mode === 'ERC20' && grant.permit !== undefined ? withPermit : 0);
  const common = uintDigits(kind, 1) + packedWindow(grant);
  if (grant.mode === 'SPONSORED') return common;
  return (
    common +
    addressDigits(grant.token) +
    uintDigits(grant.exchangeRate, 16) +
    addressDigits(grant.treasury) +
    uintDigits(grant.inAdvance ?? 0n, 16) +
    uintDigits(tollfreePostOpGas, 4) +
    (grant.permit === undefined ? '' : permitDigits(grant.permit))
  );
}

function permitDigits({ value, deadline, signature }: TokenPermit): string {
  return uintDigits(value, 32) + uintDigits(deadline, 32) + uintDigits(size(signature), 2) + signature.slice(2);
}

/** Whether these terms, after the EntryPoint's 52 bytes, announce a trailing signature. */
export function saysSignatureTrails(unsigned: Hex): boolean {
  return (Number(slice(unsigned, 52, 53)) & trailingSignature) !== 0;
}

/** Reads terms that {@link tollfreeTerms} could have written; undefined for anything else. */
export function readTollfreeTerms(terms: Hex): PromisedTerms | undefined {
  const bytes = (terms.length - 2) / 2;
  if (bytes !== sponsoredBytes && bytes !== tokenBytes && bytes < tokenBytes + permitHeadBytes) return undefined;
  const window = { validUntil: Number(slice(terms, 1, 7)), validAfter: Number(slice(terms, 7, 13)) };
  if (bytes === sponsoredBytes) return { mode: 'SPONSORED', ...window };
  const token: Address = getAddress(slice(terms, 13, 33));
  return { mode: 'ERC20', ...window, token, exchangeRate: BigInt(slice(terms, 33, 49)) };
}
