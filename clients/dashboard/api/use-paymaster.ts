import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { createContext, useContext } from 'react';

/** The paymaster whose pages are shown. */
export const PaymasterContext = createContext<PaymasterItem | undefined>(undefined);

/** The paymaster of this page. */
export function usePaymaster(): PaymasterItem {
  const paymaster = useContext(PaymasterContext);
  if (paymaster === undefined) throw new Error('This component needs a paymaster’s page around it.');
  return paymaster;
}
