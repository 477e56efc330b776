import type { Leadership } from '../store.ts';

/** For the only process at a database, and for operator commands. */
export const leadsAlone: Leadership = {
  isShared: false,
  leads: () => true,
  leader: async () => undefined,
  onChange: () => () => {},
  check: async () => {},
};
