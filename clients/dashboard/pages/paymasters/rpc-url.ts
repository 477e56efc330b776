import type { PaymasterItem } from '@tollfree/contract/paymaster';

/** A paymaster's URL for applications, which contains its apiKey. */
export function rpcUrl({ chainId, apiKey }: PaymasterItem): string {
  return `${window.location.origin}/api/v2/${chainId}/${apiKey}`;
}
