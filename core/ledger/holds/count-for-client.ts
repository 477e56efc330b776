import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';

/** What a request adds, in wei: to what is held, and to the part of it that may end unpaid. */
type AddedWei = { readonly amount: bigint; readonly atRisk: bigint };

/** What a request adds to its own client's open holds. */
export type CountedForClient = AddedWei & {
  /** It adds no hold to these: the live one counts for the client already, or still counts for another. */
  readonly joins: boolean;
  /** It raises a live hold of another client; from then on the whole hold counts for this one. */
  readonly takesOver: boolean;
  /** How much of the live hold's {@link DraftHold.atRisk} counted for its client before, in wei. */
  readonly atRiskBefore: bigint;
};

/**
 * A hold counts for the client that requested most of it. A signature can be requested without a key of the account, so what
 * a stranger requests for it, and how much a stranger raises its holds, counts for the stranger.
 */
export function countForClient(
  { client }: Pick<HoldRequest, 'client'>,
  live: Pick<DraftHold, 'client' | 'amount' | 'atRisk'> | undefined,
  added: AddedWei,
): CountedForClient {
  const fresh = { joins: false, takesOver: false, atRiskBefore: 0n, ...added };
  if (live === undefined) return fresh;
  const atRisk = live.atRisk ?? 0n;
  if (live.client === client) return { ...fresh, joins: true, atRiskBefore: atRisk };
  if (added.amount === 0n && added.atRisk === 0n) return { ...fresh, joins: true };
  return { ...fresh, amount: live.amount + added.amount, atRisk: atRisk + added.atRisk, takesOver: true };
}
