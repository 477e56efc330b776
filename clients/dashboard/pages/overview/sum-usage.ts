import type { OverviewDay } from '@tollfree/contract/overview';
import { type SplitCost, splitCost } from '../../parts/text/split-cost.ts';
import { costInCents } from '../../parts/text/whole-cents.ts';

/** A day's sums over several paymasters, the cost in USD. */
export type DaySum = {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** What the account paid. */
  readonly own: number;
  /** What users paid for in tokens. */
  readonly users: number;
  readonly landed: number;
  readonly signed: number;
  readonly refused: number;
  readonly unpriced: number;
};

const none = { own: 0, users: 0, landed: 0, signed: 0, refused: 0, unpriced: 0 } as const;

/** Sums of each day up to a moment (milliseconds), oldest first, without gaps. */
export function sumDays(of: readonly (readonly OverviewDay[])[], days: number, now: number): readonly DaySum[] {
  const sums = new Map<string, DaySum>();
  for (let back = days - 1; back >= 0; back -= 1) {
    const day = new Date(now - back * 86_400_000).toISOString().slice(0, 10);
    sums.set(day, { day, ...none });
  }
  for (const each of of.flat()) {
    const { day, landed, signed, refused, unpriced } = each;
    const sum = sums.get(day);
    if (sum === undefined) continue;
    const { own, users } = splitCost(each);
    sums.set(day, {
      day,
      own: sum.own + own,
      users: sum.users + users,
      landed: sum.landed + landed,
      signed: sum.signed + signed,
      refused: sum.refused + refused,
      unpriced: sum.unpriced + unpriced,
    });
  }
  return [...sums.values()];
}

/** All days together. */
export function totalOf(days: readonly DaySum[]): Omit<DaySum, 'day'> {
  const add = (of: (day: DaySum) => number) => days.reduce((sum, day) => sum + of(day), 0);
  return {
    own: add(({ own }) => own),
    users: add(({ users }) => users),
    landed: add(({ landed }) => landed),
    signed: add(({ signed }) => signed),
    refused: add(({ refused }) => refused),
    unpriced: add(({ unpriced }) => unpriced),
  };
}

/** What paymasters cost together, given the days of each: the sum of what their rows show, in whole cents. */
export function costOfAll(paymasters: readonly (readonly DaySum[])[]): SplitCost {
  const costs = paymasters.map((days) => costInCents(totalOf(days)));
  const add = (of: (cost: SplitCost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0);
  return { own: add(({ own }) => own), users: add(({ users }) => users) };
}

/** The refused share of signature requests, such as `2.5%`; a dash if there are none. */
export function refusalRate({ signed, refused }: Pick<DaySum, 'signed' | 'refused'>): string {
  const all = signed + refused;
  if (all === 0) return '–';
  const percent = (refused / all) * 100;
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)}%`;
}
