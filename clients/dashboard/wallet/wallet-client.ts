import { type Address, createWalletClient, custom, type Hex } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import type { Wallet } from './wallets.ts';

export { createSiweMessage };

/** Requests a wallet's account. Reading and sending uses the wallet; no other server is contacted. */
export async function connectWallet({ provider }: Wallet) {
  const client = createWalletClient({ transport: custom(provider) });
  const [address] = await client.requestAddresses();
  if (address === undefined) throw new Error('The wallet returned no account.');
  return { client, address, sign: (message: string) => client.signMessage({ account: address, message }) };
}

export type WalletCall = {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** In wei. */
  readonly value: bigint;
  /** The only account that may send it; undefined when any may. */
  readonly from: Address | undefined;
};

/** Requests a wallet to send a transaction on the given chain. Returns its hash. */
export async function sendCall(wallet: Wallet, call: WalletCall): Promise<Hex> {
  const { client, address } = await connectWallet(wallet);
  if (call.from !== undefined && call.from.toLowerCase() !== address.toLowerCase()) {
    throw new Error(`Choose the funding wallet ${call.from} in your wallet. The current one is ${address}.`);
  }
  if ((await client.getChainId()) !== call.chainId) {
    await client.switchChain({ id: call.chainId });
    if ((await client.getChainId()) !== call.chainId) {
      throw new Error(`The wallet did not change to the chain ${call.chainId}.`);
    }
  }
  const { to, data, value } = call;
  return client.sendTransaction({ account: address, chain: null, to, data, value });
}
