import type { Hex } from 'viem';
import type { PolicyLimit } from '../../../core/domain/policy.ts';
import { modelWindow } from '../model/model-window.ts';

/** An operation that a relay was asked to send: what it can cost, in wei, and the operation key that it uses up. */
export type RelayedOperation = {
  readonly hash: Hex;
  readonly sender: number;
  readonly nonce: bigint;
  readonly amount: bigint;
};

/** A hold as the model has it; its place in the list is its number less one. */
export type LateHold = {
  readonly number: number;
  readonly sender: number;
  readonly nonce: bigint;
  /** The hashes of what was relayed under it. */
  readonly hashes: Set<Hex>;
  amount: bigint;
  validUntil: number;
  /** When it was last requested, in Unix seconds. */
  countedAt: number;
  state: 'live' | 'settled' | 'released';
  charge: bigint | undefined;
};

/** An operation in a block: the hold that paid, in which state that was before, and the hold that it replaced. */
type Landing = {
  readonly block: bigint;
  readonly paid: { readonly hold: LateHold; readonly before: LateHold['state'] } | undefined;
  readonly replaced: LateHold | undefined;
};

/** What happened to relayed operations, and what follows from it. Nothing is kept that can be added up from the holds. */
export type LateModel = {
  readonly limits: readonly PolicyLimit[];
  readonly holds: LateHold[];
  readonly landings: Landing[];
};

/** Holds for an operation, or joins the live hold of its operation key, unless a limit would be passed. Returns whether it did. */
export function askInModel(
  { limits, holds }: LateModel,
  { hash, sender, nonce, amount }: RelayedOperation,
  { now, validUntil }: { readonly now: number; readonly validUntil: number },
): boolean {
  const live = liveAt(holds, { sender, nonce });
  const joined: LateHold = {
    number: live?.number ?? holds.length + 1,
    sender,
    nonce,
    hashes: new Set([...(live?.hashes ?? []), hash]),
    amount: larger(amount, live?.amount ?? 0n),
    validUntil: Math.max(validUntil, live?.validUntil ?? 0),
    countedAt: now,
    state: 'live',
    charge: undefined,
  };
  const all = [...holds.filter((hold) => hold !== live), joined];
  if (limits.some((limit) => countIn(all, limit, joined) > limit.max)) return false;
  holds[joined.number - 1] = joined;
  return true;
}

/** The hold that pays for an operation: a live one, or else the first that was let go of. Returns it as it is then. */
export function landInModel(
  { holds, landings }: LateModel,
  operation: RelayedOperation,
  { cost, block }: { readonly cost: bigint; readonly block: bigint },
): { readonly hold: LateHold; readonly isLate: boolean } | undefined {
  const own = holds.filter((hold) => hold.hashes.has(operation.hash));
  const live = liveAt(holds, operation);
  const payer = own.find((hold) => hold === live) ?? own.find(({ state }) => state === 'released');
  const replaced = live === payer ? undefined : live;
  landings.push({ block, paid: payer && { hold: payer, before: payer.state }, replaced });
  if (replaced !== undefined) replaced.state = 'released';
  if (payer === undefined) return undefined;
  const isLate = payer.state === 'released';
  payer.state = 'settled';
  payer.charge = cost < payer.amount ? cost : payer.amount;
  return { hold: payer, isLate };
}

/** Takes back what landed after a block, the newest first. Returns how many holds are released again. */
export function rollBackInModel({ holds, landings }: LateModel, toBlock: bigint): number {
  let released = 0;
  for (let last = landings.at(-1); last !== undefined && last.block > toBlock; last = landings.at(-1)) {
    landings.pop();
    const { paid, replaced } = last;
    if (paid !== undefined) {
      paid.hold.charge = undefined;
      paid.hold.state = paid.before === 'released' || liveAt(holds, paid.hold) !== undefined ? 'released' : 'live';
      if (paid.before === 'released') released += 1;
    }
    if (replaced !== undefined && liveAt(holds, replaced) === undefined) replaced.state = 'live';
  }
  return released;
}

/** Lets go of what has expired by a time of the chain, in Unix seconds. */
export function expireInModel({ holds }: LateModel, chainTime: number): void {
  for (const hold of holds) if (hold.state === 'live' && hold.validUntil < chainTime) hold.state = 'released';
}

/** What a limit has counted in the window of a moment, in its unit: for one sender, or for all. */
export function countIn(
  holds: readonly LateHold[],
  { per, window, unit }: PolicyLimit,
  of: Pick<LateHold, 'countedAt' | 'sender'>,
): bigint {
  const name = modelWindow(window, of.countedAt);
  return holds
    .filter(({ state }) => state !== 'released')
    .filter(({ countedAt }) => modelWindow(window, countedAt) === name)
    .filter(({ sender }) => per !== 'sender' || sender === of.sender)
    .reduce((sum, { charge, amount }) => sum + (unit === 'operations' ? 1n : (charge ?? amount)), 0n);
}

function liveAt(holds: readonly LateHold[], of: Pick<LateHold, 'sender' | 'nonce'>): LateHold | undefined {
  return holds.find(({ state, sender, nonce }) => state === 'live' && sender === of.sender && nonce === of.nonce);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
