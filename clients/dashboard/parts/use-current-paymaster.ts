import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useEffect } from 'react';
import { paymastersQuery } from '../api/of-account.ts';
import { networkOf } from './text/chain-name.ts';
import { setNetwork, useNetwork } from './use-network.ts';

/** The paymaster whose page was open last, shared by the menu, the search and the pages of the account. */
let last: string | undefined;

/** The menu's paymaster: that of the page, else the previous one, else the first active one of the chosen network. */
export function useCurrentPaymaster(): PaymasterItem | undefined {
  const { paymasterId } = useParams({ strict: false });
  const { data = [] } = useQuery(paymastersQuery);
  const network = useNetwork();
  useEffect(() => {
    if (paymasterId !== undefined) last = paymasterId;
  }, [paymasterId]);
  const isActive = ({ retiredAt }: PaymasterItem) => retiredAt === undefined;
  const some = network === undefined ? data : data.filter(({ chainId }) => networkOf(chainId) === network);
  return (
    data.find((each) => each.paymasterId === paymasterId) ??
    some.find((each) => each.paymasterId === last) ??
    some.find(isActive) ??
    data.find(isActive) ??
    data[0]
  );
}

/** The network of the menu. Opening a paymaster of the other one switches to that. */
export function useNetworkOf({ paymasterId, chainId }: PaymasterItem): 'main' | 'test' {
  const chosen = useNetwork();
  const own = networkOf(chainId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not if the switch is used while this paymaster stays open
  useEffect(() => {
    if (chosen !== undefined) setNetwork(own);
  }, [paymasterId, own]);
  return chosen ?? own;
}
