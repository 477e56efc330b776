import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';

/** When something is booked, in Unix seconds, and what the chain's coin is worth then; absent where no one knows. */
export type Booking = { readonly now: number; readonly coinPrice?: SeenCoinPrice };
