import { isAbsent } from '@tollfree/contract/rpc/field-forms';
import { checksum } from 'ox/Address';
import type { Address, Hex } from 'viem';
import type { ValidityConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorshipContext, SponsorshipMode } from '../../domain/sponsorship.ts';

/** Longest `callData`, in bytes; `initCode` and `signature` keep the same bound. */
const maxBytes = 65_536;

/** An unreadable field of a user operation. Caught at the entry of reading. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
  }
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** An address, checksummed. A wrong checksum is refused; a single case has none. */
export function readAddress(field: string, text: string | undefined): Address {
  if (text === undefined || !addressPattern.test(text)) throw new FieldError(field, 'must be an address');
  // With ox's hash, which the signer has made fast: viem's takes four times as long for an address that is not cached.
  const address = checksum(text as Address);
  const oneCase = text === text.toLowerCase() || text.slice(2) === text.slice(2).toUpperCase();
  if (!oneCase && address !== text) throw new FieldError(field, 'has a wrong checksum');
  return address;
}

/** Bytes as hex in lower case; none for an empty text. */
export function readBytes(field: string, text: string | undefined): Hex {
  if (text === undefined) throw new FieldError(field, 'must be hex bytes');
  if (text === '') return '0x';
  if (text.length > 2 + 2 * maxBytes) throw new FieldError(field, `must be at most ${maxBytes} bytes`);
  if (text.length % 2 !== 0 || !/^0x[0-9a-fA-F]*$/.test(text)) throw new FieldError(field, 'must be hex bytes');
  return text.toLowerCase() as Hex;
}

/** A number in any form that clients send, at most `max`. */
export function readRequired(field: string, text: string | undefined, max: bigint): bigint {
  const value = readOptional(field, text, max);
  if (value === undefined) throw new FieldError(field, 'must be a number');
  return value;
}

/** A number that may be absent, in any form that clients send, at most `max`. */
export function readOptional(field: string, text: string | undefined, max: bigint): bigint | undefined {
  const value = readQuantity(text);
  if (value === 'absent') return undefined;
  if (value === 'malformed') throw new FieldError(field, 'must be a number in hex or decimal');
  if (value > max) throw new FieldError(field, 'is out of range');
  return value;
}

const decimalPattern = /^\d{1,78}$/;
const hexPattern = /^0x[0-9a-f]{1,128}$/i;

/**
 * A number in clients' forms: hex with any leading zeros, or decimal text. `absent`: missing, empty or a bare `0x`.
 * `malformed`: not a number.
 */
export function readQuantity(text: string | undefined): bigint | 'absent' | 'malformed' {
  if (isAbsent(text)) return 'absent';
  if (decimalPattern.test(text) || hexPattern.test(text)) return BigInt(text);
  return 'malformed';
}

/** The modes with their aliases: `sponsor` and `erc20` are Arka's. */
const modes: ReadonlyMap<string, SponsorshipMode> = new Map([
  ['SPONSORED', 'SPONSORED'],
  ['SPONSORSHIP', 'SPONSORED'],
  ['sponsor', 'SPONSORED'],
  ['ERC20', 'ERC20'],
  ['erc20', 'ERC20'],
]);

/** The payment that a request asks for; undefined leaves the choice to the service. */
export function readMode(mode: string | undefined): Result<SponsorshipMode | undefined> {
  if (mode === undefined || mode === '') return accept(undefined);
  const read = modes.get(mode);
  if (read !== undefined) return accept(read);
  return refuse({ reason: 'INVALID_PARAMS', message: 'mode must be SPONSORED or ERC20', field: 'mode' });
}

/** Lifetime of a signature or quote in whole seconds, as the client requests it; `INVALID_PARAMS` outside the bounds. */
export function readLifetime(wish: number | undefined, validity: ValidityConfig): Result<number> {
  const { minSeconds, maxSeconds, defaultSeconds } = validity;
  if (wish === undefined) return accept(defaultSeconds);
  if (wish >= minSeconds && wish <= maxSeconds) return accept(Math.floor(wish));
  return refuse({
    reason: 'INVALID_PARAMS',
    message: `expiryDuration (or validForSeconds) must be from ${minSeconds} to ${maxSeconds} seconds. Leave it out for ${defaultSeconds} seconds.`,
    field: 'expiryDuration',
  });
}

/** The account kind that sponsorship needs for decoding the calls (interface 4.5, mandatory fields). */
export function readSmartAccountInfo(
  context: SponsorshipContext,
): Result<{ readonly name: string; readonly version: string }> {
  const missing = (field: string): Result<never> =>
    refuse({ reason: 'INVALID_PARAMS', message: `${field} must be an object`, field });
  if (!context.sponsorshipInfoGiven) return missing('sponsorshipInfo');
  if (context.smartAccountInfo === undefined) return missing('sponsorshipInfo.smartAccountInfo');
  return accept(context.smartAccountInfo);
}
