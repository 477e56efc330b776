import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isSponsored } from '../../domain/user-share.ts';
import type { TakenOff, UsageSubject } from '../counts/usage-key.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import { policyOf } from './ledger-identities.ts';

/** The owner of a hold in the counts of limits per user and per ticket. */
type HoldOwner = Pick<UsageSubject, 'subject' | 'ticket'>;

/** A sponsored request with another ticket than that of the hold it joins, and what the hold counted for the earlier one. */
type TakenOver = { readonly former: UsageSubject; readonly counted: TakenOff };

/** The same of a row, or of a draft. */
export function ownerOf({ subject, ticket }: NullableOwner): HoldOwner {
  return omitAbsent({ subject: subject ?? undefined, ticket: ticket ?? undefined });
}

type NullableOwner = { readonly [Name in keyof HoldOwner]-?: string | null | undefined };

/**
 * Whether a request takes over the hold it joins: then the whole hold counts for the request's ticket and no longer for the
 * earlier one. A request can be made without a key of the account, so each operation counts for one ticket, the one it was
 * last requested with.
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

/** From now on the hold counts for the ticket of a request. */
export function giveTo(hold: DraftHold, { subject, ticket }: HoldRequest): void {
  hold.subject = subject;
  hold.ticket = ticket?.id;
}
