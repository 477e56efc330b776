import type { BrowserContext } from 'playwright-core';
import { createWalletClient, type Hex, hexToNumber, http, numberToHex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

export type InjectedWallet = {
  readonly account: PrivateKeyAccount;
  /** The chain that the wallet is on at first. */
  readonly chainId: number;
  /** Node of the one chain that it can send on. */
  readonly nodeUrl: string;
};

type Asked = { readonly method: string; readonly params?: readonly unknown[] };

/**
 * Gives the pages of a context a wallet that announces itself (EIP-6963) and really signs and sends. Its key stays in this
 * process.
 */
export async function injectWallet(context: BrowserContext, wallet: InjectedWallet): Promise<void> {
  const { account } = wallet;
  const client = createWalletClient({ account, transport: http(wallet.nodeUrl) });
  let chainId = wallet.chainId;
  await context.exposeFunction('askTestWallet', async ({ method, params = [] }: Asked): Promise<unknown> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address];
    if (method === 'eth_chainId') return numberToHex(chainId);
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] as Hex } });
    if (method === 'wallet_switchEthereumChain') {
      chainId = hexToNumber((params[0] as { chainId: Hex }).chainId);
      return null;
    }
    if (method === 'eth_sendTransaction') {
      const { to, data, value } = params[0] as { to: Hex; data: Hex; value: Hex };
      return client.sendTransaction({ to, data, value: BigInt(value), chain: null });
    }
    return client.request({ method, params } as never);
  });
  // A loader that keeps the names of functions calls this in what it compiles; there is none in the page.
  await context.addInitScript('globalThis.__name ??= (value) => value');
  await context.addInitScript(announce);
}

/** Runs in the page. */
function announce(): void {
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const provider = {
    request: async (asked: Asked) => {
      const answer = await (window as unknown as { askTestWallet(asked: Asked): Promise<unknown> }).askTestWallet(
        asked,
      );
      const [chosen] = asked.params ?? [];
      if (asked.method === 'wallet_switchEthereumChain') {
        for (const tell of listeners.get('chainChanged') ?? []) tell((chosen as { chainId: string }).chainId);
      }
      return answer;
    },
    on: (event: string, tell: (value: unknown) => void) => {
      listeners.set(event, [...(listeners.get(event) ?? []), tell]);
    },
    removeListener: (event: string, tell: (value: unknown) => void) => {
      listeners.set(
        event,
        (listeners.get(event) ?? []).filter((each) => each !== tell),
      );
    },
  };
  const info = {
    uuid: '3d9c4a3e-1f0e-4d55-9a43-6d1f1a1f5a10',
    name: 'Test Wallet',
    rdns: 'org.example.test-wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>',
  };
  const detail = Object.freeze({ info, provider });
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', tell);
  tell();
}
