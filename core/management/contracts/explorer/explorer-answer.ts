import type { Address } from 'viem';

/** An explorer's answer about a contract. `problem` is the end of a sentence about the explorer, without secrets. */
export type ExplorerAnswer =
  | { readonly kind: 'verified'; readonly abi: string; readonly implementation?: Address }
  | { readonly kind: 'not verified' }
  | { readonly kind: 'unavailable'; readonly problem: string };
