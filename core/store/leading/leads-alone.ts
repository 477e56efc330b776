import type { Leadership } from '../store.ts';

/** Of a process that is alone at its database, and of a program next to the service, whose operator starts it once. */
export const leadsAlone: Leadership = {
  isShared: false,
  leads: () => true,
  leader: async () => undefined,
  onChange: () => () => {},
  check: async () => {},
};
