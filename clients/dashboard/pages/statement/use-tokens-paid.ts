import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { useToken } from '../../parts/use-token.ts';

/** Most tokens that a sentence names. */
const mostNamed = 3;
/** Where no name is known: sums by token are kept for 400 days. */
const unnamed = 'tokens';

/** The tokens that users paid in during a UTC month (`YYYY-MM`), by their symbols: “USDC”, or “DAI and USDC”. */
export function useTokensPaid(month: string): string {
  const token = useToken();
  const from = `${month}-01`;
  const { data = [] } = useQuery(usageQuery(usePaymaster(), { by: 'token', from, until: lastDayOf(from) }));
  const symbols = data
    .filter(({ usersPaid }) => usersPaid !== '0')
    .map(({ key }) => token(key)?.symbol)
    .toSorted();
  if (symbols.length === 0 || symbols.length > mostNamed || symbols.includes(undefined)) return unnamed;
  return symbols.length === 1 ? String(symbols[0]) : `${symbols.slice(0, -1).join(', ')} and ${symbols.at(-1)}`;
}

function lastDayOf(firstDay: string): string {
  const first = new Date(`${firstDay}T00:00:00Z`);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return last.toISOString().slice(0, 10);
}
