import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isSponsored } from '../../domain/user-share.ts';
import type { TakenOff, UsageSubject } from '../counts/usage-key.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import { policyOf } from './ledger-identities.ts';

/** Whose a hold is in the counts of limits per user and per ticket. */
type HoldOwner = Pick<UsageSubject, 'subject' | 'ticket'>;

/**
 * A sponsored request with another ticket than that of the hold it joins, and what the hold counted for the one before.
 */
type TakenOver = { readonly former: UsageSubject; readonly counted: TakenOff };

/** The same of a row, or of a draft. */
export function ownerOf({ subject, ticket }: NullableOwner): HoldOwner {
  return omitAbsent({ subject: subject ?? undefined, ticket: ticket ?? undefined });
}

type NullableOwner = { readonly [Name in keyof HoldOwner]-?: string | null | undefined };

/**
 * Whether a request takes over the hold it joins: then the hold counts as a whole for its ticket and for the one
 * before no more. No one needs a key of an account to ask in its name, so that each operation counts for one ticket,
 * and for that which was asked with last.
 */
export function takeOver(request: HoldRequest, live: DraftHold | undefined): TakenOver | undefined {
  if (live?.counted === undefined || !isSponsored(request)) return undefined;
  if (live.subject === request.subject && live.ticket === request.ticket?.id) return undefined;
  return {
    former: {
      ...policyOf(request),
      sender: request.sender,
      keyNumber: live.keyNumber,
      createdAt: live.createdAt,
      ...ownerOf(live),
    },
    counted: { operations: 1, wei: live.counted, usdMicros: live.usdMicros ?? 0n, calls: live.calls },
  };
}

/** Has a hold count for the ticket of a request from now on. */
export function giveTo(hold: DraftHold, { subject, ticket }: HoldRequest): void {
  hold.subject = subject;
  hold.ticket = ticket?.id;
}
