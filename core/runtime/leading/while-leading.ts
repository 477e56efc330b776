import type { Leadership } from '../../store/store.ts';

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
