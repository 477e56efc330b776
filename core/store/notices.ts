import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { dialectOf } from './dialect-of.ts';

/** Notices between processes at one database: something has changed, or needs to be done. */
export type Notice =
  /** A paymaster, or its data, changed. */
  | `paymaster ${string}`
  /** A notification waits to be sent. */
  | 'queued'
  /** The state of a chain's ledger changed; someone waits for confirmed events; a requested update is done. */
  | `ledger ${number}`
  | `look ${number}`
  | `looked ${number}`;

/** Notifies all processes at the database, including this one, when the transaction commits. SQLite has no others. */
export async function notifyOthers(trx: Kysely<Database>, notice: Notice): Promise<void> {
  const telling = dialectOf(trx).notify(notice);
  if (telling !== undefined) await telling.execute(trx);
}

type Listener = (notice: Notice | undefined) => void;

/** Listeners to notices of the processes at a database. */
export type Ear = {
  hear(listener: Listener): () => void;
  /** Passes on a notice; undefined when some may have been lost. */
  reported(notice: Notice | undefined): void;
};

export function createNoticeListener(): Ear {
  const listeners = new Set<Listener>();
  return {
    hear: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reported: (notice) => {
      for (const listener of listeners) listener(notice);
    },
  };
}
