import { type Address, concatHex, type Hex, keccak256, slice, toHex } from 'viem';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ValidityConfig } from '../domain/core-config.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { endOfTime } from '../evm/entry-point/entry-point-abi.ts';
import type { SignedTerms, SponsoredTerms } from '../evm/paymaster-contracts/family/family.ts';
import type { ChainView } from '../node/followed-chain.ts';
import { ticketRefusals } from '../tickets/ticket.ts';
import type { Identified } from './identify/identify.ts';
import type { Viewed } from './permit/check-chain.ts';
import type { Ticketed } from './permit/check-ticket.ts';
import type { Lifetime, WithFundingWallet } from './permit/sponsor-mode.ts';
import type { Asked, Step } from './run/steps.ts';

/** The validity of a signature, in Unix seconds. */
export type Window = { readonly validAfter: number; readonly validUntil: number };

type Means = { readonly clock: Clock; readonly validity: Pick<ValidityConfig, 'minSeconds' | 'maxSeconds'> };

/** How far a node may be behind our latest reading, in seconds; EntryPoint 0.8 also requires `validAfter` to have passed. */
const lagSeconds = 60;

/**
 * The server chooses the window, which is never open-ended. It considers both clocks, ours and the chain's latest block. It
 * starts at the earlier, so that a lagging chain accepts it at once, and lasts from the later, so that it has not expired on
 * a chain that is ahead. By the earlier clock it must not exceed the maximum, unless less than the minimum would remain by
 * the later.
 */
export function chooseWindow(lifetimeSeconds: number, view: ChainView, { clock, validity }: Means): Window {
  const now = unixSeconds(clock);
  const [earlier, later] = [Math.min(now, view.headTime), Math.max(now, view.headTime)];
  const longest = Math.max(earlier + validity.maxSeconds, later + validity.minSeconds);
  return {
    validAfter: Math.max(earlier - lagSeconds, 1),
    validUntil: Math.min(later + lifetimeSeconds, longest),
  };
}

/** When a signature for a request is valid: its policy may have its own maximum. */
export function windowOf({ lifetimeSeconds, longestSeconds, view, parts }: Lifetime & Viewed & Asked): Window {
  const { minSeconds } = parts.validity;
  return chooseWindow(lifetimeSeconds, view, {
    clock: parts.clock,
    validity: { minSeconds, maxSeconds: longestSeconds },
  });
}

/**
 * Whether account and paymaster sign in parallel: the client requests it and the contract supports it (EntryPoint 0.9).
 * `stubData` is the `paymasterData` of an earlier stub, which the account may be signing; undefined if there was none.
 */
export type Parallel = { readonly parallel?: { readonly stubData: Hex | undefined } };

/** Reads from an ERC-7677 request whether both sign in parallel. */
export function readParallel({ request, context, contract }: Asked & Identified): Parallel {
  if (context.parallelSigning !== true || contract.family.readStubTerms === undefined) return {};
  const { paymasterData = '0x' } = request.userOperation;
  return { parallel: { stubData: paymasterData === '0x' ? undefined : (paymasterData.toLowerCase() as Hex) } };
}

/**
 * The key of a stub's terms among the quotes, instead of a token: no token has this address. It includes the data, with mode,
 * token, price and times, and the deciding policy. Everything else is decided again.
 */
export function nameOfStubTerms({ profile }: Pick<Identified, 'profile'>, paymasterData: Hex): Address {
  return slice(keccak256(concatHex([paymasterData, toHex(profile.chosen?.policyId ?? '')])), 12);
}

/** The terms of a signature in mode `SPONSORED`, from now on. */
export const toSponsoredTerms: Step<
  Asked & Identified & Lifetime & Viewed & WithFundingWallet & Ticketed,
  { readonly signedTerms: SponsoredTerms }
> = (request) => {
  const { contract, fundingWallet } = request;
  const window = endWithTicket(windowOf(request), request);
  if (!window.ok) return window;
  const validUntil = contract.family.signatureExpiry === 'never' ? endOfTime : window.value.validUntil;
  const { priceMarkup } = contract;
  return accept({ signedTerms: { mode: 'SPONSORED', ...window.value, validUntil, fundingWallet, priceMarkup } });
};

/** Limits the window of a signature to its ticket's expiry, by our clock and by that of the chain's latest block. */
export function endWithTicket(window: Window, { ticket, parts, view }: Ticketed & Asked & Viewed): Result<Window> {
  if (ticket === undefined || ticket.expiresAt >= window.validUntil) return accept(window);
  const now = Math.max(unixSeconds(parts.clock), view.headTime);
  return ticket.expiresAt <= now ? ticketRefusals.expired : accept({ ...window, validUntil: ticket.expiresAt });
}

/** Latest time of 32 bits, in Unix seconds: no zero byte where a real time has nonzero ones. */
const lateTime = 0xffff_ffff;
/**
 * Latest time that no EntryPoint reads as a block number (47 bits). It gives the stub of token mode two more nonzero bytes,
 * like those of a part in advance in the signed data. The stub itself takes nothing in advance, which estimates could not
 * refund.
 */
const latestTime = 2 ** 47 - 1;
/** A time long past, also without zero bytes in use. */
const pastTime = 0x0101_0101;

/** The times of a stub. */
export const stubWindow: Window = { validUntil: lateTime, validAfter: pastTime };

/**
 * Terms for a stub: the signed data has at least as many zero bytes, so that calldata gas estimated with the stub suffices
 * (ERC-7677). Their window is currently open, like that of the real ones.
 */
export function stubTerms(signedTerms: SignedTerms): SignedTerms {
  if (signedTerms.mode === 'SPONSORED') return { ...signedTerms, ...stubWindow };
  return {
    ...signedTerms,
    ...stubWindow,
    validUntil: latestTime,
    exchangeRate: withoutInnerZeroBytes(signedTerms.exchangeRate),
  };
}

/**
 * The number with each zero byte after its first byte set to 1: the same length, and larger by less than one part in 128.
 */
function withoutInnerZeroBytes(value: bigint): bigint {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return BigInt(`0x${Buffer.from(bytes.map((byte) => (byte === 0 ? 1 : byte))).toString('hex')}`);
}
