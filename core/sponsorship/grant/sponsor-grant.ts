import type { Address } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import type { SponsoredGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { SponsorProfile } from '../../management/paymasters/sponsor-profile.ts';
import type { Permitted } from '../permission/check-sponsorship.ts';
import type { Identified } from '../request/identify.ts';
import { chooseWindow } from './choose-window.ts';

/** The end of time on chain (uint48): what a signature without a window is good until. */
const endOfTime = 2 ** 48 - 1;

/** Whose gas tank pays; `INSUFFICIENT_FUNDS` while nobody's does. */
export function findFundingWallet({ paymaster }: SponsorProfile): Result<Address> {
  if (paymaster.fundingWallet !== undefined) return accept(paymaster.fundingWallet);
  return refuse({
    reason: 'INSUFFICIENT_FUNDS',
    message: 'The gas tank is empty: this paymaster has no funding wallet yet.',
  });
}

/** Some contracts only take tokens. */
export function checkSponsors({ contract }: Identified): Result<true> {
  if (contract.family.modes.includes('SPONSORED')) return accept(true);
  return refuse({
    reason: 'INVALID_PARAMS',
    message: `mode must be ERC20: paymaster version ${contract.version} does not sponsor; it only takes tokens.`,
    field: 'mode',
  });
}

/** What a signature in mode `SPONSORED` grants, from this moment on. */
export function sponsorGrant({ contract }: Identified, permitted: Permitted, clock: Clock): SponsoredGrant {
  const window = chooseWindow(permitted.lifetimeSeconds, permitted.view, clock);
  const validUntil = contract.family.signatureExpiry === 'never' ? endOfTime : window.validUntil;
  const { fundingWallet } = permitted;
  return { mode: 'SPONSORED', ...window, validUntil, fundingWallet, priceMarkup: contract.priceMarkup };
}
