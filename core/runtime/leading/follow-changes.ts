import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Store } from '../../store/store.ts';

const ofPaymaster = 'paymaster ';

/** Evicts the profiles of paymasters that any process at the database has changed. Returns a function that ends it. */
export function followChanges(
  { hear }: Pick<Store, 'hear'>,
  profiles: Pick<SponsorProfiles, 'forget' | 'forgetAll'>,
): () => void {
  return hear((notice) => {
    if (notice === undefined) profiles.forgetAll();
    else if (notice.startsWith(ofPaymaster)) profiles.forget(notice.slice(ofPaymaster.length));
  });
}
