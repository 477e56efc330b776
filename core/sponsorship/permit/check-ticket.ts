import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import type { Finding } from '../../policies/findings/finding.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Ticket, TicketCall } from '../../tickets/ticket.ts';
import { verifyTicket } from '../../tickets/verify-ticket.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked, Step } from '../run/steps.ts';
import type { DecodedCalls, PaidCalls } from './decode-calls.ts';

/** The request's ticket, verified and valid for the operation. */
export type Ticketed = { readonly ticket: Ticket | undefined };

type Needed = Asked & Identified & ReadOperation;

/** Verifies the ticket of an operation that the application pays for. */
export const checkTicket: Step<Needed & DecodedCalls, Ticketed> = (request) => check(request, request.calls);

/** Verifies the ticket of an operation that the user pays for: the ticket's calls matter where those of the operation do. */
export const checkUserTicket: Step<Needed & PaidCalls, Ticketed> = (request) =>
  check(request, request.paidCalls?.judged);

/**
 * Without ticket keys there is nothing to verify with, so a ticket is ignored unless the policy requires one: such a
 * paymaster's clients may send anything under that name.
 */
async function check(request: Needed, calls: readonly InnerCall[] | undefined): Promise<Result<Ticketed>> {
  const { draft, profile, context } = request;
  const { ticket: text } = context;
  const isAsked = profile.ticketKeys.length > 0 || profile.policy.requireTicket;
  if (text === undefined || !isAsked) return accept({ ticket: undefined });
  const ticket = await readTicket(request, text);
  if (!ticket.ok) return noteResult(draft, { rule: 'ticket', finding: ['unread-ticket'] }, ticket);
  const fits = checkFits(request, ticket.value, calls);
  if (fits.ok) draft.ticketUser = ticket.value.user;
  return noteResult(draft, { rule: 'ticket', finding: describe(ticket.value) }, fits);
}

function readTicket({ parts, draft, profile }: Needed, text: string): Promise<Result<Ticket>> {
  const { accountId, paymasterId } = profile.paymaster;
  return verifyTicket(text, {
    accountId,
    paymasterId,
    verifiers: profile.ticketKeys,
    jwks: parts.jwks,
    now: draft.decidedAt,
  });
}

function checkFits(
  { contract, operation }: Needed,
  ticket: Ticket,
  calls: readonly InnerCall[] | undefined,
): Result<Ticketed> {
  if (contract.family.signatureExpiry === 'never') {
    return notFor(`Signatures of paymaster version ${contract.version} never expire and would outlive any ticket.`);
  }
  if (ticket.sender !== undefined && ticket.sender.toLowerCase() !== operation.sender.toLowerCase()) {
    return notFor(`The ticket is for another sender than ${operation.sender}.`);
  }
  const allowed = ticket.calls;
  if (allowed === undefined || calls === undefined) return accept({ ticket });
  if (calls.length === 0) return notFor('The ticket is for certain calls, but the operation makes none.');
  const other = calls.find((call) => !allowed.some((one) => isFor(one, call)));
  if (other === undefined) return accept({ ticket });
  return notFor(`The ticket is not for the call of ${other.selector ?? 'no method'} of ${other.target}.`);
}

function isFor({ to, selector }: TicketCall, call: InnerCall): boolean {
  if (to.toLowerCase() !== call.target.toLowerCase()) return false;
  return selector === undefined || selector.toLowerCase() === call.selector?.toLowerCase();
}

function notFor(message: string) {
  return refuse({ reason: 'TICKET_NOT_FOR_OPERATION', message });
}

/** For the owner of the paymaster: the user as a digest. */
function describe({ user, keyName, expiresAt, label, authorizedParty }: Ticket): Finding {
  return ['ticket', user, keyName, expiresAt, authorizedParty, label];
}

/** A bound on what is spent on one ticket. */
type TicketLimit = CountedLimit & { readonly per: 'ticket' };

/** The total limits of a ticket: its uses count operations. */
export function ticketLimits({ uses, budgetWei, budgetUsdMicros }: Ticket): readonly TicketLimit[] {
  const limits = { operations: uses, wei: budgetWei, usdMicros: budgetUsdMicros } as const;
  const units = ['operations', 'wei', 'usdMicros'] as const;
  return units.flatMap((unit) => {
    const max = limits[unit];
    return max === undefined ? [] : [{ per: 'ticket', window: 'ever', unit, max }];
  });
}
