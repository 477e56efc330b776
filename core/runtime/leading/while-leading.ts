import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Leadership, Store } from '../../store/store.ts';

/** Background work, until it is closed. */
export type Running = { close(): Promise<void> };

/**
 * Runs something while this process leads, after the previous run was closed. It writes through a store `asLeader`, since
 * this process may learn of its lost leadership later than the database.
 */
export function whileLeading(leadership: Pick<Leadership, 'leads' | 'onChange'>, start: () => Running): Running {
  let running: Running | undefined = leadership.leads() ? start() : undefined;
  let closed = false;
  let settling: Promise<void> = Promise.resolve();

  async function settle(): Promise<void> {
    while ((running !== undefined) !== (leadership.leads() && !closed)) {
      if (running === undefined) running = start();
      else {
        await running.close();
        running = undefined;
      }
    }
  }

  function change(): void {
    settling = settling.then(settle);
  }

  const unlisten = leadership.onChange(change);
  return {
    close: async () => {
      closed = true;
      unlisten();
      change();
      await settling;
    },
  };
}

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
