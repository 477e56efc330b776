import { randomUUID } from 'node:crypto';
import type { Core } from '../core.ts';
import type { RefusalReason } from '../domain/refusal.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../domain/sponsorship.ts';
import { chargeTokens } from './charge-tokens.ts';
import { type Identified, identify } from './identify.ts';
import { quoteTokens } from './quote-tokens.ts';
import { readMode } from './read-context.ts';
import { type ReadOperation, readUserOperation } from './read-user-operation.ts';
import { sponsorOperation } from './sponsor-operation.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

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
type Begun = { readonly identified: Identified; readonly read: ReadOperation };

/** The sponsorship side of `Core`: chooses the mode, runs its steps, gives every answer a decision id. */
export function createSponsorship(parts: SponsorshipParts): Pick<Core, 'getFeeQuoteOrData' | 'sponsorUserOperation'> {
  return {
    getFeeQuoteOrData: (request) => decide(parts, request, () => quoteOrSponsor(parts, request)),
    sponsorUserOperation: (request) => decide(parts, request, () => sponsorOrCharge(parts, request)),
  };
}

async function begin(parts: SponsorshipParts, request: SponsorshipRequest): Promise<Result<Begun>> {
  const identified = await identify(parts, request);
  if (!identified.ok) return identified;
  const read = readUserOperation(request.userOperation, identified.value.contract.family.entryPointVersion);
  if (!read.ok) return read;
  return accept({ identified: identified.value, read: read.value });
}

async function quoteOrSponsor(
  parts: SponsorshipParts,
  request: SponsorshipRequest,
): Promise<Result<UndecidedSignature | UndecidedQuotes>> {
  const begun = await begin(parts, request);
  if (!begun.ok) return begun;
  const { identified, read } = begun.value;
  const { context } = request;
  const mode = readMode(context.mode);
  if (!mode.ok) return mode;
  if (mode.value === 'ERC20') return quoteTokens(parts, identified, read, context);
  const tokensOnly = !context.sponsorshipInfoGiven && context.tokenInfo !== undefined;
  if (mode.value === undefined && tokensOnly) return quoteTokens(parts, identified, read, context);
  const sponsored = await sponsorOperation(parts, identified, read, context);
  if (sponsored.ok || mode.value === 'SPONSORED' || !policyReasons.has(sponsored.refusal.reason)) return sponsored;
  return quoteTokens(parts, identified, read, { ...context, tokenInfo: context.tokenInfo ?? {} });
}

async function sponsorOrCharge(
  parts: SponsorshipParts,
  request: SponsorshipRequest,
): Promise<Result<UndecidedSignature>> {
  const begun = await begin(parts, request);
  if (!begun.ok) return begun;
  const { identified, read } = begun.value;
  const mode = readMode(request.context.mode);
  if (!mode.ok) return mode;
  if (mode.value === undefined) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'mode must be SPONSORED or ERC20', field: 'mode' });
  }
  return mode.value === 'ERC20'
    ? chargeTokens(parts, identified, read, request.context)
    : sponsorOperation(parts, identified, read, request.context);
}

/** Runs the steps and gives the answer its id, under which it is logged. */
async function decide<T extends { readonly kind: string }>(
  parts: SponsorshipParts,
  request: SponsorshipRequest,
  run: () => Promise<Result<T>>,
): Promise<Result<T & { readonly decisionId: string }>> {
  const decisionId = randomUUID();
  const result = await run();
  const fields = { decisionId, chainId: request.chainId, sender: request.userOperation.sender?.slice(0, 42) };
  if (!result.ok) {
    parts.logger.info({ ...fields, reason: result.refusal.reason }, 'Refused');
    return refuse({ ...result.refusal, decisionId });
  }
  parts.logger.info({ ...fields, outcome: result.value.kind }, 'Answered');
  return accept({ ...result.value, decisionId });
}
