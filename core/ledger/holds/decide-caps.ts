import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { lastingLongAt, senderOfClient } from '../sums/sum-owners.ts';
import { type CappedHold, capOpenHolds } from './cap-open-holds.ts';
import type { CountedForClient } from './count-for-client.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';
import { lastingLong } from './lasting-long.ts';

/** The tank a request is for. Amounts in wei. */
type Tank = { readonly tankId: number; readonly held: bigint };
type Asked = Pick<CappedHold, 'added' | 'spendable'> & { readonly counted: CountedForClient };

/**
 * If the request is sent again, the operation signed meanwhile is found, and the bundler of this one is not paid for an
 * authorization.
 */
const authorizedTwice: Ruling = {
  rule: 'operator-holds',
  finding: ['authorized-twice'],
  refusal: {
    reason: 'RATE_LIMITED',
    message: 'Another operation of this sender was signed at the same time. Request this one again.',
  },
};

/**
 * Whether another operation, signed before or decided earlier in the batch, gives the sender its code, no matter who
 * requested it.
 */
function isAuthorizedTwice({ authorizedBefore, holds }: HoldWorkingSet, request: HoldRequest): boolean {
  if (authorizedBefore.has(request)) return true;
  const { sender, nonce, tank } = request;
  for (const { deploys, request: other } of holds.values()) {
    const isOfSender = other.sender === sender && other.tank.chainId === tank.chainId;
    if (deploys && isOfSender && other.nonce !== nonce) return true;
  }
  return false;
}

/** The operator's caps on what is open at the tank, if the request has any. The first that refuses decides. */
export function decideCaps(
  book: HoldWorkingSet,
  request: HoldRequest,
  tank: Tank,
  live: DraftHold | undefined,
  { added, spendable, counted }: Asked,
): readonly Ruling[] {
  const { caps, client, validUntil, paysAuthorization = false } = request;
  if (caps === undefined) return [];
  const openOf = (whose: string) => {
    const { operations: count, wei: amount } = book.sums.of('open', [whose, tank.tankId]);
    return { count, amount };
  };
  const hold = { spendable, added: counted.amount, joins: counted.joins };
  if (paysAuthorization) {
    const isNextOfClient = !counted.joins && openOf(senderOfClient(request)).count > 0;
    if (isNextOfClient || isAuthorizedTwice(book, request)) return [authorizedTwice];
  }
  const { maxOpenHoldsPerSender: maxCount, maxShareOfTankPerSender: maxShare } = caps;
  const rulings = [capOpenHolds({ of: 'sender', maxCount, maxShare, open: openOf(senderOfClient(request)), ...hold })];
  if (client !== undefined) {
    const { maxOpenHoldsPerClient: maxCount, maxShareOfTankPerClient: maxShare } = caps;
    rulings.push(capOpenHolds({ of: 'client', maxCount, maxShare, open: openOf(client), ...hold }));
  }
  if (validUntil === endOfTime) {
    // No hold of such a contract expires; of their number it only matters whether there are any.
    const open = { count: tank.held === (live?.amount ?? 0n) ? 0 : 2, amount: tank.held };
    const maxShare = caps.maxShareOfTankWithoutExpiry;
    rulings.push(
      capOpenHolds({ spendable, added, joins: false, of: 'withoutExpiry', maxCount: Infinity, maxShare, open }),
    );
  }
  const lasting = lastingLong(request, live, added);
  if (lasting !== undefined) {
    // A single one does not get it all either: it would occupy the tank for a day.
    const open = { count: 2, amount: openOf(lastingLongAt(tank.tankId)).amount };
    const maxShare = caps.maxShareOfTankLastingLong;
    const asked = { spendable, added: lasting.amount, joins: false, maxCount: Infinity };
    rulings.push(capOpenHolds({ ...asked, of: 'lastingLong', maxShare, open }));
  }
  return rulings;
}
