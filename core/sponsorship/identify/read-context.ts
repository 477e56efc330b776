import type { ValidityConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorshipContext, SponsorshipMode } from '../../domain/sponsorship.ts';

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

/** Lifetime of a signature or quote in seconds: the client's request within the operator's bounds. */
export function readLifetime(wish: number | undefined, validity: ValidityConfig): Result<number> {
  if (wish === undefined) return accept(validity.defaultSeconds);
  if (!Number.isFinite(wish)) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'expiryDuration must be a number', field: 'expiryDuration' });
  }
  return accept(Math.floor(Math.min(Math.max(wish, validity.minSeconds), validity.maxSeconds)));
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
