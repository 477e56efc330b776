import { endOfTime } from '../../evm/entry-point/end-of-time.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { type CappedHold, capOpenHolds } from './cap-open-holds.ts';
import type { CountedForClient } from './count-for-client.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldBook } from './hold-book.ts';
import type { HoldRequest } from './hold-request.ts';
import { openIdentity, senderOfClient } from './open-holds.ts';

/** The tank a request is for. Amounts in wei. */
type Tank = { readonly tankId: number; readonly held: bigint };
type Asked = Pick<CappedHold, 'added' | 'spendable'> & { readonly counted: CountedForClient };

const none = { count: 0, amount: 0n };

/** Asked again, the operation that was signed meanwhile is found, and this one's bundler is not paid for an authorization. */
const authorizedTwice: Ruling = {
  rule: 'operator-holds',
  checked: 'other open operations of this sender, which only one authorization delegates',
  refusal: {
    reason: 'RATE_LIMITED',
    message: 'Another operation of this sender was signed at the same time. Request this one again.',
  },
};

/** The operator's caps on what is open at the tank, where the request has any. The first that refuses decides. */
export function decideCaps(
  { openHolds }: HoldBook,
  request: HoldRequest,
  tank: Tank,
  live: DraftHold | undefined,
  { added, spendable, counted }: Asked,
): readonly Ruling[] {
  const { caps, client, validUntil, paysAuthorization = false } = request;
  if (caps === undefined) return [];
  const openOf = (whose: string) => openHolds.get(openIdentity(tank.tankId, whose)) ?? none;
  const hold = { spendable, added: counted.amount, joins: counted.joins };
  if (paysAuthorization && !counted.joins && openOf(senderOfClient(request)).count > 0) return [authorizedTwice];
  const { maxOpenHoldsPerSender: maxCount, maxShareOfTankPerSender: maxShare } = caps;
  const rulings = [capOpenHolds({ of: 'sender', maxCount, maxShare, open: openOf(senderOfClient(request)), ...hold })];
  if (client !== undefined) {
    const { maxOpenHoldsPerClient: maxCount, maxShareOfTankPerClient: maxShare } = caps;
    rulings.push(capOpenHolds({ of: 'client', maxCount, maxShare, open: openOf(client), ...hold }));
  }
  if (validUntil === endOfTime) {
    // All holds of such a contract are so; of how many there are only this matters.
    const open = { count: tank.held === (live?.amount ?? 0n) ? 0 : 2, amount: tank.held };
    const maxShare = caps.maxShareOfTankWithoutExpiry;
    rulings.push(
      capOpenHolds({ spendable, added, joins: false, of: 'withoutExpiry', maxCount: Infinity, maxShare, open }),
    );
  }
  return rulings;
}
