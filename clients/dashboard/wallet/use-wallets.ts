import { type Connector, useConnectors } from 'wagmi';
import { wagmiConfig } from './wagmi-config.ts';

/** The wallets that have announced themselves so far. */
export function useWallets(): readonly Connector[] {
  return useConnectors({ config: wagmiConfig });
}
