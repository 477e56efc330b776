import { type Address, concatHex, type Hex, keccak256, slice, toHex } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import type { SponsoredGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { ticketRefusals } from '../../tickets/ticket-refusals.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Lifetime } from '../permit/read-signature-lifetime.ts';
import type { Payer } from '../permit/sponsor-mode.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import { type Window, windowOf } from './choose-window.ts';

/**
 * Whether account and paymaster sign in parallel: the client requests it and the contract supports it (EntryPoint 0.9).
 * `promised` is the `paymasterData` of an earlier stub, which the account may be signing; undefined if there was none.
 */
export type Parallel = { readonly parallel?: { readonly promised: Hex | undefined } };

/** Reads from an ERC-7677 request whether both sign in parallel. */
export function readParallel({ request, context, contract }: Asked & Identified): Parallel {
  if (context.parallelSigning !== true || contract.family.readPromise === undefined) return {};
  const { paymasterData = '0x' } = request.userOperation;
  return { parallel: { promised: paymasterData === '0x' ? undefined : (paymasterData.toLowerCase() as Hex) } };
}

/**
 * The key of a promise among the quotes, instead of a token: no token has this address. It includes the data, with mode,
 * token, price and times, and the deciding policy. Everything else is decided again.
 */
export function nameOfPromise({ profile }: Pick<Identified, 'profile'>, paymasterData: Hex): Address {
  return slice(keccak256(concatHex([paymasterData, toHex(profile.chosen?.policyId ?? '')])), 12);
}

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

/** Limits the window of a signature to its ticket's expiry, by our clock and by that of the chain's latest block. */
export function endWithTicket(window: Window, { ticket, parts, view }: Ticketed & Asked & Viewed): Result<Window> {
  if (ticket === undefined || ticket.expiresAt >= window.validUntil) return accept(window);
  const now = Math.max(unixSeconds(parts.clock), view.headTime);
  return ticket.expiresAt <= now ? ticketRefusals.expired : accept({ ...window, validUntil: ticket.expiresAt });
}
