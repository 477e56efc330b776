import { type Address, type EIP1193Provider, type Hex, numberToHex } from 'viem';
import type { Connector } from 'wagmi';
import { sendTransaction } from 'wagmi/actions';
import { connectWallet } from './connect-wallet.ts';
import { wagmiConfig } from './wagmi-config.ts';

export type WalletCall = {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** In wei. */
  readonly value: bigint;
  /** The only account that may send it; undefined when any may. */
  readonly from: Address | undefined;
};

/** Has a wallet send a transaction on the given chain. Returns its hash. */
export async function sendCall(connector: Connector, call: WalletCall): Promise<Hex> {
  const { address, chainId } = await connectWallet(connector);
  if (call.from !== undefined && call.from.toLowerCase() !== address.toLowerCase()) {
    throw new Error(`Choose the funding wallet ${call.from} in your wallet. The current one is ${address}.`);
  }
  if (chainId !== call.chainId) await switchChain(connector, call.chainId);
  const { to, data, value } = call;
  return sendTransaction(wagmiConfig, { account: address, connector, to, data, value });
}

/** Asks the wallet itself: its chains are known to it, not to this page. */
async function switchChain(connector: Connector, chainId: number): Promise<void> {
  const provider = (await connector.getProvider()) as EIP1193Provider;
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] });
  if ((await connector.getChainId()) !== chainId) throw new Error(`The wallet did not change to the chain ${chainId}.`);
}
