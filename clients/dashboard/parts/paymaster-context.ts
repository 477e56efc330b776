import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { createContext } from 'react';

/** The paymaster whose pages are shown. */
export const PaymasterContext = createContext<PaymasterItem | undefined>(undefined);
