import type { Address } from 'viem';

/** What an explorer knows of a contract. `problem` is the end of a sentence about the explorer, without anything secret. */
export type ExplorerAnswer =
  | { readonly kind: 'verified'; readonly abi: string; readonly implementation?: Address }
  | { readonly kind: 'not verified' }
  | { readonly kind: 'unavailable'; readonly problem: string };
