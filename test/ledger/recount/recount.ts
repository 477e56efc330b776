import {
  beginOf,
  type LimitLife,
  type Operation,
  partOfSponsor,
  type Sponsored,
  shareUp,
  type Vendor,
} from './operations.ts';

/** How many, and how much: wei, or millionths of a USD. */
export type Sum = { readonly count: number; readonly amount: bigint };

/** What is open of operations: those that are live, with what they set aside. */
export function openOf(operations: readonly Operation[], isMeant: (operation: Operation) => boolean): Sum {
  const meant = operations.filter((operation) => operation.state === 'live' && isMeant(operation));
  return { count: meant.length, amount: sumOf(meant.map(({ amount }) => amount)) };
}

/** What live operations can end unpaid, in wei. */
export function riskOf(operations: readonly Operation[], isMeant: (operation: Operation) => boolean): bigint {
  const meant = operations.filter((operation) => operation.state === 'live' && isMeant(operation));
  return sumOf(meant.map(({ atRisk = 0n }) => atRisk));
}

/** What operations cost without being paid for, as long as that counts, in wei. */
export function unpaidOf(operations: readonly Operation[], isMeant: (operation: Operation) => boolean): bigint {
  return sumOf(
    operations.filter(isMeant).map(({ landed }) => (landed?.unpaidUntil === undefined ? 0n : (landed.unpaid ?? 0n))),
  );
}

/** What a limit or budget has counted in the window of `now`, in its unit. */
export function countedBy(
  limit: LimitLife,
  operations: readonly Operation[],
  { now, whose }: { readonly now: number; readonly whose: Whose },
): bigint {
  const begin = beginOf(limit.window, now);
  const counted = operations.flatMap((operation) => {
    const sponsored = standing(operation);
    if (sponsored?.countedBy.includes(limit) !== true) return [];
    if (beginOf(limit.window, sponsored.at) !== begin) return [];
    if (limit.per === 'sender' && operation.sender !== whose.sender) return [];
    if (limit.per === 'subject' && sponsored.user !== whose.user) return [];
    return [inUnitOf(limit, operation, sponsored)];
  });
  return sumOf(counted);
}

/** Whom a limit counts. */
export type Whose = { readonly sender: string; readonly user: string | undefined };

function inUnitOf({ per, unit, called }: LimitLife, operation: Operation, sponsored: Sponsored): bigint {
  if (per === 'budget') return keptBudgetUsd(operation, sponsored);
  if (unit === 'operations') return BigInt(called === undefined ? 1 : (sponsored.calls.get(called) ?? 0));
  return unit === 'wei' ? keptWei(operation, sponsored) : keptUsd(operation, sponsored);
}

/** What a ticket of a paymaster has been used for, in a unit. */
export function spentOn(
  ticket: { readonly paymasterId: string; readonly id: string; readonly unit: string },
  operations: readonly Operation[],
): bigint {
  const spent = operations.flatMap((operation) => {
    const sponsored = standing(operation);
    if (operation.paymasterId !== ticket.paymasterId || sponsored?.ticket !== ticket.id) return [];
    if (!sponsored.ticketUnits.includes(ticket.unit)) return [];
    if (ticket.unit === 'operations') return [1n];
    return [ticket.unit === 'wei' ? keptWei(operation, sponsored) : keptUsd(operation, sponsored)];
  });
  return sumOf(spent);
}

/** What another paymaster was asked for on a chain, by any client or one, in the window of `now`; millionths of a USD. */
export function askedOfVendor(
  operations: readonly Operation[],
  asked: { readonly chainId: number; readonly by: Vendor['countedBy'][number]; readonly now: number; client?: string },
): bigint {
  const window = asked.by === 'month' ? 'month' : 'day';
  const reserved = operations.flatMap(({ chainId, vendor }) => {
    if (vendor === undefined || chainId !== asked.chainId || !vendor.countedBy.includes(asked.by)) return [];
    if (beginOf(window, vendor.at) !== beginOf(window, asked.now)) return [];
    return asked.by === 'client' && vendor.client !== asked.client ? [] : [vendor.reserved];
  });
  return sumOf(reserved);
}

/** What is counted of an operation unless it ended for good. Where another paymaster answered, it may have landed unseen. */
function standing({ state, vendor, isReplaced, sponsored }: Operation): Sponsored | undefined {
  const isOver = state === 'released' && (vendor?.isAnswered !== true || isReplaced);
  return isOver ? undefined : sponsored;
}

/** The sponsor's part of what it set aside, or of what it cost once it has landed, if that is less. */
function keptWei({ landed }: Operation, { wei, userPercent }: Sponsored): bigint {
  if (landed === undefined) return wei;
  const part = partOfSponsor(landed.charge, userPercent);
  return part < wei ? part : wei;
}

function keptUsd(operation: Operation, sponsored: Sponsored): bigint {
  const { usdMicros = 0n, wei } = sponsored;
  return operation.landed === undefined ? usdMicros : shareUp(usdMicros, keptWei(operation, sponsored), wei);
}

/** If the price rose until it landed, by the later one. */
function keptBudgetUsd(operation: Operation, sponsored: Sponsored): bigint {
  const { landed } = operation;
  const { budgetUsd, wei } = sponsored;
  if (landed === undefined) return budgetUsd ?? 0n;
  const kept = keptWei(operation, sponsored);
  const asHeld = shareUp(budgetUsd ?? 0n, kept, wei);
  const asPaid = shareUp(landed.chargeUsd ?? 0n, kept, landed.charge);
  return asHeld > asPaid ? asHeld : asPaid;
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
