import type { VendorUse } from '../../store/vendor-use.ts';
import { noQuantity, type Quantity } from './ledger-accounts.ts';

/**
 * The accounts that count a hold, by what they count of it: until it ends `a` what it sets aside and `r` what of that may end
 * unpaid; `R` that too, and for a day after it landed unpaid what it cost; `p` only that cost; also afterwards `n` operations (`n3` its three calls), `w` wei, `u` the USD of limits, `b` the USD of budgets; and, however
 * it ends, `s` the USD that another paymaster is asked for. They are stored with the hold. Whenever it changes, each of its accounts changes by what the leg is after the change less what
 * it was before: nothing else changes an account.
 */
export type Legs = Readonly<Record<string, readonly number[]>>;

export const noLegs: Legs = {};

/** What of a hold decides how much limits and budgets count of it. Amounts in wei, the last two in millionths of a USD. */
export type LimitedQuantities = {
  /** It ended, and nothing can have landed under it. */
  readonly isGivenBack: boolean;
  /** Undefined where limits and budgets count nothing of it. */
  readonly limitWei: bigint | undefined;
  /** What limits in USD count. */
  readonly usdMicros: bigint | undefined;
  /** What budgets of the account count. */
  readonly budgetUsd: bigint | undefined;
};

/** What of a hold decides how much its accounts count, in wei. */
type CountedQuantities = LimitedQuantities & {
  readonly isLive: boolean;
  /** What is set aside for it. */
  readonly amount: bigint;
  /** What of that may end unpaid; undefined where none of it can. */
  readonly atRisk: bigint | undefined;
  /** What it cost without being paid for, as long as that counts. */
  readonly unpaid: bigint | undefined;
  /** What another paymaster has been asked for; undefined where none was. */
  readonly vendorUse: VendorUse | undefined;
};

/** What an account under a code counts of a hold as it is. */
function quantityOf(hold: CountedQuantities, code: string): Quantity {
  switch (code) {
    case 'a':
      return hold.isLive ? { count: 1, amount: hold.amount } : noQuantity;
    case 'r':
      return hold.isLive ? { count: 1, amount: hold.atRisk ?? 0n } : noQuantity;
    case 'R':
      return hold.isLive ? { count: 1, amount: hold.atRisk ?? 0n } : unpaidQuantity(hold);
    case 'p':
      // It counts as one while it is live: an account in which there is something is kept.
      return hold.isLive ? { count: 1, amount: 0n } : unpaidQuantity(hold);
    case 's':
      return vendorQuantity(hold);
    default:
      return limitedQuantity(hold, code);
  }
}

function unpaidQuantity({ unpaid }: CountedQuantities): Quantity {
  return unpaid === undefined ? noQuantity : { count: 1, amount: unpaid };
}

/** Counted as an operation once there was an answer. */
function vendorQuantity({ vendorUse: use }: CountedQuantities): Quantity {
  return use === undefined ? noQuantity : { count: use.answered === undefined ? 0 : 1, amount: use.reserved };
}

/** What the account of a limit or budget under a code counts of a hold as it is. */
export function limitedQuantity(hold: LimitedQuantities, code: string): Quantity {
  if (hold.isGivenBack || hold.limitWei === undefined) return noQuantity;
  switch (code) {
    case 'w':
      return { count: 1, amount: hold.limitWei };
    case 'u':
      return { count: 1, amount: hold.usdMicros ?? 0n };
    case 'b':
      return { count: 1, amount: hold.budgetUsd ?? 0n };
    default:
      return { count: code === 'n' ? 1 : Number(code.slice(1)), amount: 0n };
  }
}

/** The code under which an account counts so many operations or calls. */
export function timesCode(times: number): string {
  return times === 1 ? 'n' : `n${times}`;
}

/** A hold with its accounts. */
export type WithLegs = CountedQuantities & { readonly legs: Legs };

/** A hold before it changes, if there was one, and after that. */
export type HoldMove = { readonly before?: WithLegs | undefined; readonly after: WithLegs };

/** By how much accounts change with a hold, by their numbers; those that stay as they are left out. */
export function addLegChanges(changes: Map<number, Quantity>, { before, after }: HoldMove): void {
  if (before !== undefined) addLegs(changes, before, -1);
  addLegs(changes, after, 1);
}

function addLegs(changes: Map<number, Quantity>, hold: WithLegs, times: 1 | -1): void {
  for (const [code, accountIds] of Object.entries(hold.legs)) {
    const { count, amount } = quantityOf(hold, code);
    for (const id of accountIds) {
      const sum = changes.get(id) ?? noQuantity;
      changes.set(id, { count: sum.count + times * count, amount: sum.amount + BigInt(times) * amount });
    }
  }
}

/** Every account of some holds, each once. */
export function accountsIn(holds: Iterable<{ readonly legs: Legs }>): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const { legs } of holds) for (const some of Object.values(legs)) for (const id of some) ids.add(id);
  return ids;
}

/** What a hold counts in one account by now; nothing where it has no leg there. */
export function countedIn(hold: WithLegs | undefined, accountId: number | undefined): Quantity {
  if (hold === undefined || accountId === undefined) return noQuantity;
  const code = Object.keys(hold.legs).find((one) => hold.legs[one]?.includes(accountId));
  return code === undefined ? noQuantity : quantityOf(hold, code);
}
