import { useSyncExternalStore } from 'react';
import type { EIP1193Provider } from 'viem';

/** A wallet of this browser, as announced by EIP-6963. */
export type Wallet = {
  readonly id: string;
  readonly name: string;
  /** An icon as a `data:` URI; undefined for any other URL. */
  readonly icon: string | undefined;
  readonly provider: EIP1193Provider;
};

type Announced = CustomEvent<{
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string };
  readonly provider: EIP1193Provider;
}>;

let wallets: readonly Wallet[] = [];
const readers = new Set<() => void>();

window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (event as Announced).detail;
  if (wallets.some(({ id }) => id === info.uuid)) return;
  const icon = info.icon.startsWith('data:image/') ? info.icon : undefined;
  wallets = [...wallets, { id: info.uuid, name: info.name, icon, provider }];
  for (const read of readers) read();
});
window.dispatchEvent(new Event('eip6963:requestProvider'));

function subscribe(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** The wallets that have announced themselves so far. */
export function useWallets(): readonly Wallet[] {
  return useSyncExternalStore(subscribe, () => wallets);
}

/** A wallet's refusal, in a sentence for people; other errors unchanged. */
export function walletProblem(error: Error | null): Error | null {
  if (error === null || !('shortMessage' in error)) return error;
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each.name === 'UserRejectedRequestError') {
      return new Error('You rejected the request in the wallet. Nothing was changed.');
    }
  }
  return new Error(String(error.shortMessage));
}
