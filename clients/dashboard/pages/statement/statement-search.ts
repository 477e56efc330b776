/** The view, as stored in the page's URL. */
export type StatementSearch = {
  /** A UTC month, `YYYY-MM`; the present one when absent. */
  readonly month?: string;
  /** All paymasters of the account, instead of the page's. */
  readonly of?: 'all';
};

/** Parses it; invalid values are dropped. */
export function readStatementSearch({ month, of }: Readonly<Record<string, unknown>>): StatementSearch {
  return {
    ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...(of === 'all' ? { of } : {}),
  };
}
