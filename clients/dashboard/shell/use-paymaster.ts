import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useContext } from 'react';
import { PaymasterContext } from './paymaster-context.ts';

/** The paymaster whose page this is. */
export function usePaymaster(): PaymasterItem {
  const paymaster = useContext(PaymasterContext);
  if (paymaster === undefined) throw new Error('This part stands outside of a paymaster’s pages.');
  return paymaster;
}
