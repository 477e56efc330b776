import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { type Network, networkOf } from '../../parts/text/chain-name.ts';
import { useNetwork } from '../../parts/use-network.ts';

type Shown = {
  readonly network: Network;
  /** Those of that network. */
  readonly some: readonly PaymasterItem[];
  /** Whether there are paymasters of both networks. */
  readonly isBoth: boolean;
};

/** The paymasters that the overview is about: those of the chosen network, else of the main networks if there are any. */
export function useShownPaymasters(paymasters: readonly PaymasterItem[]): Shown {
  const chosen = useNetwork();
  const counts = { main: 0, test: 0 };
  for (const { chainId } of paymasters) counts[networkOf(chainId)] += 1;
  const usual: Network = counts.main > 0 ? 'main' : 'test';
  const network = chosen !== undefined && counts[chosen] > 0 ? chosen : usual;
  const some = paymasters.filter(({ chainId }) => networkOf(chainId) === network);
  return { network, some, isBoth: counts.main > 0 && counts.test > 0 };
}
