import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import type { UserOperationLanded } from '../../../core/node/chain-event.ts';
import type { Decided } from './decide.ts';
import { change, isSamePlace, type Model } from './model.ts';
import { endOf, type Operation, partOfSponsor, worthOf } from './operations.ts';

const day = 86_400;
/** What a window counted is kept two days longer, what a ticket was used for seven. */
const [windowOutlives, ticketOutlives] = [2 * day, 7 * day];

/** Takes an accepted request into the list. */
export function accept(model: Model, request: HoldRequest, { after, said }: Decided): void {
  if (after === undefined) return;
  const live = model.operations.find((one) => one.state === 'live' && isSamePlace(one, request));
  if (live === undefined) model.operations = [...model.operations, after];
  else change(model, live, after);
  const isAgain = said.some(({ rule }) => rule === 'granted before');
  if (isAgain || request.payment.userPercent === 100 || request.ticket?.bounded === undefined) return;
  const { id, endsAt, limits } = request.ticket.bounded;
  const { paymasterId } = request.policy;
  model.ticketUses.push(...limits.map(({ unit }) => ({ paymasterId, id, unit, endsAt })));
}

/** The price of the coin when an event is posted, and when that is. */
type Posted = { readonly chainId: number; readonly now: number; readonly price: bigint | undefined };

/** An operation has landed: its own hold settles, the others of its nonce end. Returns its own. */
export function land(model: Model, event: UserOperationLanded, posted: Posted): Operation | undefined {
  const { now, chainId } = posted;
  const { contract, sender, nonce } = event;
  const there = model.operations.filter((one) => {
    const isOfNonce = one.sender === sender && one.nonce === nonce && one.contract === contract;
    return one.state === 'live' && one.chainId === chainId && isOfNonce;
  });
  const own = findOwn(there, event) ?? (event.relayed === true ? findReleased(model, event, chainId) : undefined);
  const replaced = there.filter((one) => one !== own);
  for (const one of replaced) change(model, one, { ...ended, state: 'released', isReplaced: true });
  const holdIds = [...(own === undefined ? [] : [own.holdId]), ...replaced.map(({ holdId }) => holdId)];
  model.landings.push({ chainId, block: Number(event.blockNumber), holdIds });
  if (own === undefined) return undefined;
  const { actualGasCost, tokenPayment } = event;
  const charge = event.relayed === true && actualGasCost > own.amount ? own.amount : actualGasCost;
  const isLate = own.state === 'released';
  const isUnpaid = !isLate && tokenPayment === undefined && owesTokens(own, event);
  const { sponsored } = own;
  const isShared = sponsored !== undefined && sponsored.userPercent > 0;
  const owed = charge - (isShared ? partOfSponsor(charge, sponsored.userPercent) : 0n);
  change(model, own, {
    ...ended,
    state: 'settled',
    isLate,
    landed: {
      charge,
      chargeUsd: posted.price === undefined ? undefined : worthOf(charge, posted.price),
      unpaid: isUnpaid ? owed : undefined,
      unpaidUntil: isUnpaid ? now + day : undefined,
    },
  });
  return own;
}

/** Nothing is granted under an operation that has ended. */
const ended = { granted: new Map() } as const;

function namesOf({
  userOperationHash,
  contentIds = [],
}: UserOperationLanded): readonly UserOperationLanded['userOperationHash'][] {
  return [userOperationHash, ...contentIds];
}

/** By what it carries: of those that are relayed the first that had it, of others the last. */
function findOwn(there: readonly Operation[], event: UserOperationLanded): Operation | undefined {
  const named = there.filter(({ names }) => namesOf(event).some((name) => names.has(name)));
  if (event.relayed === true) return named[0];
  if (named.length > 0) return named.at(-1);
  // What it carries was not seen: it is one of the only tank that has signed for the nonce, the last that is enough.
  if (event.contentIds !== undefined || new Set(there.map(({ wallet }) => wallet)).size > 1) return undefined;
  return there.filter(({ amount }) => amount >= event.actualGasCost).at(-1) ?? there.at(-1);
}

function findReleased(
  model: Model,
  { contract, userOperationHash }: UserOperationLanded,
  chainId: number,
): Operation | undefined {
  return model.operations.find((one) => {
    return (
      one.state === 'released' &&
      one.chainId === chainId &&
      one.contract === contract &&
      one.relays.has(userOperationHash)
    );
  });
}

function owesTokens({ names, atRisk }: Operation, event: UserOperationLanded): boolean {
  const name = namesOf(event).find((one) => names.has(one));
  return name === undefined ? atRisk !== undefined : names.get(name) === true;
}

/** Ends what has expired on a contract by a time of the chain. */
export function expire(
  model: Model,
  at: { readonly chainId: number; readonly contract: string; readonly chainTime: number },
): void {
  for (const one of model.operations) {
    const isThere = one.chainId === at.chainId && one.contract === at.contract;
    if (one.state === 'live' && isThere && one.validUntil < at.chainTime) release(model, one);
  }
}

/** Nothing can land under it any more, for all that is known. */
export function release(model: Model, operation: Operation): void {
  change(model, operation, { ...ended, state: 'released', isReplaced: false });
}

/** What happened to operations when blocks were gone. */
export type RolledBack = { standing: number; releasedAgain: number; covered: number };

/** Blocks after this one are gone, newest first: what they ended stands again, unless it was late or something else stands there. */
export function rollBack(
  model: Model,
  { chainId, toBlock }: { readonly chainId: number; readonly toBlock: number },
): RolledBack {
  const happened = { standing: 0, releasedAgain: 0, covered: 0 };
  const isGone = (one: { readonly chainId: number; readonly block: number }) =>
    one.chainId === chainId && one.block > toBlock;
  for (const { holdIds } of model.landings.filter(isGone).reverse()) {
    for (const holdId of holdIds) {
      const operation = model.operations.find((one) => one.holdId === holdId);
      if (operation === undefined) continue;
      const place = {
        tank: operation,
        policy: operation,
        sender: operation.sender as HoldRequest['sender'],
        nonce: operation.nonce,
      };
      const isCovered = model.operations.some(
        (one) => one.state === 'live' && isSamePlace(one, place as Parameters<typeof isSamePlace>[1]),
      );
      const stands = !operation.isLate && !isCovered;
      happened[operation.isLate ? 'releasedAgain' : isCovered ? 'covered' : 'standing'] += 1;
      change(model, operation, {
        state: stands ? 'live' : 'released',
        isLate: false,
        isReplaced: false,
        landed: undefined,
        ...(stands ? { relaysEnd: undefined } : {}),
      });
    }
  }
  model.landings = model.landings.filter((one) => !isGone(one));
  model.deposits = model.deposits.filter(({ tank, block }) => !isGone({ chainId: tank.chainId, block }));
  return happened;
}

/** What landed unpaid a day ago counts no longer. Returns how many. */
export function forgetUnpaid(model: Model, now: number): number {
  let forgotten = 0;
  for (const one of model.operations) {
    const { landed } = one;
    if (landed?.unpaidUntil === undefined || landed.unpaidUntil > now) continue;
    change(model, one, { landed: { ...landed, unpaidUntil: undefined } });
    forgotten += 1;
  }
  return forgotten;
}

/** Forgets what windows counted that ended two days ago, and tickets that ended seven days ago. Returns how much. */
export function prune(model: Model, now: number): { readonly windows: number; readonly tickets: number } {
  const tickets = forgetTickets(model, now);
  let windows = 0;
  for (const one of model.operations) {
    const { sponsored, vendor } = one;
    const isKept = (window: Parameters<typeof endOf>[0], at: number) => endOf(window, at) + windowOutlives >= now;
    const limits = sponsored?.countedBy.filter(({ window }) => isKept(window, sponsored.at));
    const asked = vendor?.countedBy.filter((by) => isKept(by === 'month' ? 'month' : 'day', vendor.at));
    const gone = (sponsored?.countedBy.length ?? 0) - (limits?.length ?? 0);
    const goneAsked = (vendor?.countedBy.length ?? 0) - (asked?.length ?? 0);
    if (gone + goneAsked === 0) continue;
    change(model, one, {
      sponsored: sponsored && { ...sponsored, countedBy: limits ?? [] },
      vendor: vendor && { ...vendor, countedBy: asked ?? [] },
    });
    windows += gone + goneAsked;
  }
  return { windows, tickets };
}

/** A ticket is forgotten as a whole; those of its paymaster that ended no later are refused from then on. */
function forgetTickets(model: Model, now: number): number {
  const ends = new Map<string, number>();
  const keyOf = ({ paymasterId, id, unit }: Model['ticketUses'][number]) => `${paymasterId} ${id} ${unit}`;
  for (const use of model.ticketUses) ends.set(keyOf(use), Math.max(ends.get(keyOf(use)) ?? 0, use.endsAt));
  const isOver = (use: Model['ticketUses'][number]) => (ends.get(keyOf(use)) ?? 0) + ticketOutlives < now;
  const over = model.ticketUses.filter(isOver);
  for (const { paymasterId, id, unit, endsAt } of over) {
    model.forgottenTickets.set(paymasterId, Math.max(endsAt, model.forgottenTickets.get(paymasterId) ?? 0));
    for (const one of model.operations) {
      const { sponsored } = one;
      if (one.paymasterId !== paymasterId || sponsored?.ticket !== id || !sponsored.ticketUnits.includes(unit))
        continue;
      const ticketUnits = sponsored.ticketUnits.filter((other) => other !== unit);
      change(model, one, { sponsored: { ...sponsored, ticketUnits } });
    }
  }
  model.ticketUses = model.ticketUses.filter((use) => !isOver(use));
  return over.length;
}

/** Relayed operations that have ended are forgotten a week later. */
export function tidyRelays(model: Model, now: number): void {
  for (const one of model.operations) {
    if (one.relays.size === 0) continue;
    if (one.relaysEnd === undefined) {
      if (one.state !== 'live') change(model, one, { relaysEnd: now + 7 * day });
    } else if (one.relaysEnd < now) change(model, one, { relays: new Set() });
  }
}

/** How another paymaster answered a question; false if the operation has ended meanwhile. */
export function keepAnswer(
  model: Model,
  holdId: number,
  kept: { readonly requestKey: string; readonly answer: string; readonly validUntil: number },
): boolean {
  const operation = model.operations.find((one) => one.holdId === holdId);
  if (operation?.state !== 'live' || operation.vendor === undefined) return false;
  const { requestKey, answer: terms, validUntil } = kept;
  change(model, operation, {
    vendor: { ...operation.vendor, isAnswered: true, askedUntil: 0 },
    granted: new Map([...operation.granted, [`answer ${requestKey}`, { terms, validUntil }]]),
  });
  return true;
}

/** It did not answer: what was set aside for the question goes back, unless it was asked again since. */
export function giveBack(
  model: Model,
  holdId: number,
  question: { readonly added: bigint; readonly askedUntil: number },
): boolean {
  const operation = model.operations.find((one) => one.holdId === holdId);
  if (operation?.vendor?.askedUntil !== question.askedUntil) return false;
  const { vendor } = operation;
  change(model, operation, { vendor: { ...vendor, reserved: vendor.reserved - question.added, askedUntil: 0 } });
  return true;
}
