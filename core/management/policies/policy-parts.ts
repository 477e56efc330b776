import type { Clock } from '../../base/time/clock.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { CoinPrice } from '../../policies/worth-usd.ts';
import type { Store } from '../../store/store.ts';
import type { Served } from './check-served.ts';

/** The dependencies of managing policies. */
export type PolicyParts = {
  readonly store: Store;
  readonly profiles: SponsorProfiles;
  readonly clock: Clock;
  readonly coinPrice: CoinPrice;
  readonly config: Served;
};
