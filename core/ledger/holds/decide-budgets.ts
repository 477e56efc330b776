import { ruleOnBudget } from '../../policies/budgets/rule-on-budget.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { worthUsdMicros } from '../../policies/rules/worth-usd-micros.ts';
import type { BudgetCount } from '../budgets/budget-book.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';

/** What a hold is worth with a request, in millionths of a USD, and how much of that is new. */
export type HoldWorth = {
  /** Undefined while nobody knows. */
  readonly worth: bigint | undefined;
  readonly added: bigint;
  /** Whether all of it was reckoned by a price of its own time. */
  readonly isCounted: boolean;
};

/** More than any real operation is worth, in millionths of a USD: a price or an amount that is wrong. Sums stay exact below it. */
const maxWorth = 10n ** 12n;

/**
 * What the hold of a sponsored request is worth when `more` wei join it: at the price of the request, or without one at that of
 * what it joins. One without a worth yet is valued as a whole.
 */
export function worthWith(request: HoldRequest, live: DraftHold | undefined, more: bigint): HoldWorth {
  const before = live?.worth;
  if (request.mode !== 'SPONSORED' || (more === 0n && before !== undefined)) {
    return { worth: before, added: 0n, isCounted: true };
  }
  const counted = live?.counted ?? 0n;
  const price = request.seenUsdMicrosPerCoin;
  if (price === undefined) {
    if (before === undefined || counted === 0n) return { worth: undefined, added: 0n, isCounted: false };
    const added = (before * more + counted - 1n) / counted;
    return { worth: before + added, added, isCounted: false };
  }
  const added = worthUsdMicros(before === undefined ? counted + more : more, price);
  const worth = (before ?? 0n) + added;
  return worth > maxWorth ? { worth: before, added: 0n, isCounted: false } : { worth, added, isCounted: true };
}

/** What the account's budgets say to a hold, up to and with the first refusal. */
export function decideBudgets(
  counts: readonly BudgetCount[],
  { added, isCounted }: Pick<HoldWorth, 'added' | 'isCounted'>,
): readonly Ruling[] {
  const rulings: Ruling[] = [];
  for (const count of counts) {
    const ruling = ruleOnBudget({ ...count, asked: isCounted ? added : undefined });
    rulings.push(ruling);
    if (ruling.refusal !== undefined) break;
  }
  return rulings;
}
