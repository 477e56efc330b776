import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';

/** What a request adds, in wei: to what is held, and to what of that may end unpaid. */
type AddedWei = { readonly amount: bigint; readonly atRisk: bigint };

/** What a request adds to what its own client has open. */
export type CountedForClient = AddedWei & {
  /** It adds no hold to these: the live one counts for it already, or goes on counting for someone else. */
  readonly joins: boolean;
  /** It raises a live hold of another client, which counts for its own from then on, as a whole. */
  readonly takesOver: boolean;
  /** What of {@link DraftHold.atRisk} of the live hold counts for its client before, in wei. */
  readonly atRiskBefore: bigint;
};

/**
 * A hold counts for the client that asked for the most of it. No one needs a key of an account to ask for a
 * signature: what a stranger asks for in its name, and what he raises of its holds, counts for him.
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
