import type { Address } from 'viem';
import type { Connector } from 'wagmi';
import { connect } from 'wagmi/actions';
import { wagmiConfig } from './wagmi-config.ts';

export type ConnectedWallet = { readonly connector: Connector; readonly address: Address; readonly chainId: number };

/** Asks a wallet for its account, unless it gave it before. */
export async function connectWallet(connector: Connector): Promise<ConnectedWallet> {
  const known = wagmiConfig.state.connections.get(connector.uid);
  const { accounts } = known ?? (await connect(wagmiConfig, { connector }));
  const [address] = accounts;
  if (address === undefined) throw new Error('The wallet returned no account.');
  return { connector, address, chainId: await connector.getChainId() };
}
