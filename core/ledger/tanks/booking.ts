import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';

/** When something is posted, in Unix seconds, and what the chain's coin is worth then; absent when that is not known. */
export type Booking = { readonly now: number; readonly coinPrice?: SeenCoinPrice };
