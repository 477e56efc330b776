import { accept } from '../../domain/result/result.ts';
import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import type { SponsoredGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Lifetime } from '../permit/read-signature-lifetime.ts';
import type { Payer } from '../permit/sponsor-mode.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import { windowOf } from './choose-window.ts';
import { endWithTicket } from './end-with-ticket.ts';

/** The grant of a signature in mode `SPONSORED`, from now on. */
export const grantSponsorship: Step<
  Asked & Identified & Lifetime & Viewed & Payer & Ticketed,
  { readonly grant: SponsoredGrant }
> = (request) => {
  const { contract, fundingWallet } = request;
  const window = endWithTicket(windowOf(request), request);
  if (!window.ok) return window;
  const validUntil = contract.family.signatureExpiry === 'never' ? endOfTime : window.value.validUntil;
  const { priceMarkup } = contract;
  return accept({ grant: { mode: 'SPONSORED', ...window.value, validUntil, fundingWallet, priceMarkup } });
};
