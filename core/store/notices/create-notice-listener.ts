import type { Notice } from './notice.ts';

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
