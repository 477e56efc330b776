import { useQueries } from '@tanstack/react-query';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { UsageItem } from '@tollfree/contract/usage';
import { live } from '../../api/live.ts';
import { gasTankQuery, latestDecisionsQuery, usageQuery } from '../../api/of-paymaster.ts';

/** Number of days shown, including today. */
export const shownDays = 30;

/** The overview's data of one paymaster; undefined while loading. */
export type PaymasterOverview = {
  readonly paymaster: PaymasterItem;
  readonly usage: readonly UsageItem[] | undefined;
  readonly tank: GasTankItem | undefined;
  readonly recent: readonly DecisionItem[];
  readonly refused: readonly DecisionItem[];
};

/** Polls the data of some paymasters while the page is visible. */
export function useOverview(paymasters: readonly PaymasterItem[]) {
  const refetchInterval = live(paymasters.length * 4);
  const usage = useQueries({
    queries: paymasters.map((paymaster) => ({ ...usageQuery(paymaster, { by: 'day' }), refetchInterval })),
  });
  const tanks = useQueries({
    queries: paymasters.map((paymaster) => ({ ...gasTankQuery(paymaster), refetchInterval })),
  });
  const decisions = useQueries({
    queries: paymasters.map((paymaster) => ({ ...latestDecisionsQuery(paymaster), refetchInterval })),
  });
  const all = [...usage, ...tanks, ...decisions];
  return {
    rows: paymasters.map(
      (paymaster, index): PaymasterOverview => ({
        paymaster,
        usage: usage[index]?.data,
        tank: tanks[index]?.data,
        recent: decisions[index]?.data?.recent ?? [],
        refused: decisions[index]?.data?.refused ?? [],
      }),
    ),
    error: all.find(({ error }) => error !== null)?.error ?? null,
    isError: all.some(({ isError }) => isError),
    isRefetchError: all.some(({ isRefetchError }) => isRefetchError),
    isReading: all.some(({ isPending }) => isPending),
  };
}
