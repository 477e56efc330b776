import type { Core } from '../domain/core.ts';
import type { RefusalReason } from '../domain/result/refusal.ts';
import { type Result, refuse } from '../domain/result/result.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../domain/sponsorship.ts';
import { beginSponsorship } from './begin-sponsorship.ts';
import { createPaymasterData } from './create-paymaster-data.ts';
import { createTokenInformation } from './create-token-information.ts';
import { decide } from './decide.ts';
import { readMode, readSmartAccountInfo } from './request/read-context.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import { sponsorOperation } from './sponsor-operation.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';
import { chargeTokens } from './tokens/charge-tokens.ts';
import { quoteTokens } from './tokens/quote-tokens.ts';

/** Refusals of the sponsor's policies, after which a request without a mode is answered with token quotes. */
const policyReasons: ReadonlySet<RefusalReason> = new Set([
  'NO_POLICIES',
  'CONTRACT_NOT_REGISTERED',
  'METHOD_NOT_WHITELISTED',
  'CALL_NOT_UNDERSTOOD',
  'SENDER_BLOCKED',
  'LIMIT_EXCEEDED',
  'WEBHOOK_REFUSED',
  'WEBHOOK_UNAVAILABLE',
]);

type UndecidedSignature = Omit<SignedPaymasterData, 'decisionId'>;
type UndecidedQuotes = Omit<TokenQuotes, 'decisionId'>;

/** The sponsorship side of `Core`. */
export type Sponsorship = Pick<Core, 'getFeeQuoteOrData' | 'sponsorUserOperation'> &
  ReturnType<typeof createPaymasterData> &
  ReturnType<typeof createTokenInformation>;

/** Chooses the mode, runs its steps, gives every answer about an operation a decision id. */
export function createSponsorship(parts: SponsorshipParts): Sponsorship {
  return {
    ...createPaymasterData(parts),
    ...createTokenInformation(parts),
    getFeeQuoteOrData: (request) =>
      decide(parts, { method: 'getFeeQuoteOrData', request }, (run) => quoteOrSponsor(run, request)),
    sponsorUserOperation: (request) =>
      decide(parts, { method: 'sponsorUserOperation', request }, (run) => sponsorOrCharge(run, request)),
  };
}

export async function quoteOrSponsor(
  run: SponsorshipRun,
  request: SponsorshipRequest,
): Promise<Result<UndecidedSignature | UndecidedQuotes>> {
  const begun = await beginSponsorship(run, request);
  if (!begun.ok) return begun;
  const { identified, read } = begun.value;
  const { context } = request;
  const mode = readMode(context.mode);
  if (!mode.ok) return mode;
  if (mode.value === 'ERC20') return quoteTokens(run, identified, read, context);
  const tokensAsked = !context.sponsorshipInfoGiven && context.tokenInfo !== undefined;
  const tokensOnly = tokensAsked || !identified.contract.family.modes.includes('SPONSORED');
  if (mode.value === undefined && tokensOnly) return quoteTokens(run, identified, read, context);
  const account = readSmartAccountInfo(context);
  if (!account.ok) return account;
  const sponsored = await sponsorOperation(run, identified, read, context, account.value);
  if (sponsored.ok || mode.value === 'SPONSORED' || !policyReasons.has(sponsored.refusal.reason)) return sponsored;
  return quoteTokens(run, identified, read, { ...context, tokenInfo: context.tokenInfo ?? {} });
}

export async function sponsorOrCharge(
  run: SponsorshipRun,
  request: SponsorshipRequest,
): Promise<Result<UndecidedSignature>> {
  const begun = await beginSponsorship(run, request);
  if (!begun.ok) return begun;
  const { identified, read } = begun.value;
  const mode = readMode(request.context.mode);
  if (!mode.ok) return mode;
  if (mode.value === undefined) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'mode must be SPONSORED or ERC20', field: 'mode' });
  }
  if (mode.value === 'ERC20') return chargeTokens(run, identified, read, request.context);
  const account = readSmartAccountInfo(request.context);
  return account.ok ? sponsorOperation(run, identified, read, request.context, account.value) : account;
}
