import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useContext } from 'react';
import { PaymasterContext } from '../parts/paymaster-context.ts';

/** The paymaster of this page. */
export function usePaymaster(): PaymasterItem {
  const paymaster = useContext(PaymasterContext);
  if (paymaster === undefined) throw new Error('This component needs a paymaster’s page around it.');
  return paymaster;
}
