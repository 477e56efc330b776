import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { createContext, useContext, useRef } from 'react';
import { paymastersQuery } from './of-account.ts';

/** The paymaster whose pages are shown. */
export const PaymasterContext = createContext<PaymasterItem | undefined>(undefined);

/** The paymaster of this page. */
export function usePaymaster(): PaymasterItem {
  const paymaster = useContext(PaymasterContext);
  if (paymaster === undefined) throw new Error('This component needs a paymaster’s page around it.');
  return paymaster;
}

/** The menu's paymaster: that of the page, else the previous one, else the first active one. */
export function useCurrentPaymaster(): PaymasterItem | undefined {
  const { paymasterId } = useParams({ strict: false });
  const { data = [] } = useQuery(paymastersQuery);
  const last = useRef(paymasterId);
  if (paymasterId !== undefined) last.current = paymasterId;
  return (
    data.find((each) => each.paymasterId === last.current) ??
    data.find(({ retiredAt }) => retiredAt === undefined) ??
    data[0]
  );
}
