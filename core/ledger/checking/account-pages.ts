import type { Quantity } from '../accounts/ledger-accounts.ts';

/** Accounts with neighbouring numbers whose sums are stored together, in 25 kB. */
const accountsOfPage = 1_024;

/** Sums of accounts by their numbers. Amounts count modulo 2^128: the sum of all coins that exist is far below. */
export type AccountPages = {
  /** How many pages there are. */
  size(): number;
  has(accountId: number): boolean;
  /** The sum of an account; zero where nothing was added. */
  of(accountId: number): Quantity;
  /** Adds to an account, which is there from then on, even with zero. */
  add(accountId: number, quantity: Quantity): void;
  /** The numbers of all accounts, in no particular order. */
  ids(): Iterable<number>;
};

/** An amount is two halves of 64 bits: an object for each account would take several times as much. */
type Page = {
  readonly isThere: Uint8Array;
  readonly counts: Float64Array;
  readonly low: BigUint64Array;
  readonly high: BigUint64Array;
};

export function createAccountPages(): AccountPages {
  const pages = new Map<number, Page>();
  const pageOf = (accountId: number) => pages.get(Math.floor(accountId / accountsOfPage));

  function openPage(accountId: number): Page {
    const page = {
      isThere: new Uint8Array(accountsOfPage),
      counts: new Float64Array(accountsOfPage),
      low: new BigUint64Array(accountsOfPage),
      high: new BigUint64Array(accountsOfPage),
    };
    pages.set(Math.floor(accountId / accountsOfPage), page);
    return page;
  }

  return {
    size: () => pages.size,
    has: (accountId) => pageOf(accountId)?.isThere[accountId % accountsOfPage] === 1,
    of: (accountId) => {
      const page = pageOf(accountId);
      const at = accountId % accountsOfPage;
      const amount = ((page?.high[at] ?? 0n) << 64n) + (page?.low[at] ?? 0n);
      return { count: page?.counts[at] ?? 0, amount };
    },
    add: (accountId, { count, amount }) => {
      const page = pageOf(accountId) ?? openPage(accountId);
      const at = accountId % accountsOfPage;
      page.isThere[at] = 1;
      page.counts[at] = (page.counts[at] ?? 0) + count;
      if (amount === 0n) return;
      const low = (page.low[at] ?? 0n) + amount;
      // An array keeps the lower 64 bits of what is written to it.
      page.low[at] = low;
      const carried = low >> 64n;
      if (carried !== 0n) page.high[at] = (page.high[at] ?? 0n) + carried;
    },
    *ids() {
      for (const [number, { isThere }] of pages) {
        for (const [at, there] of isThere.entries()) if (there === 1) yield number * accountsOfPage + at;
      }
    },
  };
}

/** Whether quantities are equal as pages count them. */
export function areEqual(first: Quantity, second: Quantity): boolean {
  return first.count === second.count && BigInt.asUintN(128, first.amount) === BigInt.asUintN(128, second.amount);
}
