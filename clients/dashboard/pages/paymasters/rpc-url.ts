import type { PaymasterItem } from '@tollfree/contract/paymaster';

/** Where applications ask a paymaster. The address holds its apiKey. */
export function rpcUrl({ chainId, apiKey }: PaymasterItem): string {
  return `${window.location.origin}/api/v2/${chainId}/${apiKey}`;
}
