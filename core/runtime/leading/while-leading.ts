import type { Leadership } from '../../store/store.ts';

/** Something that runs by itself, until it is closed. */
export type Running = { close(): Promise<void> };

/**
 * Has something run in this process whenever it leads, and not before it was closed the last time. It writes by a store
 * `asLeader`: that this process no longer leads may be known here later than at the database.
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
