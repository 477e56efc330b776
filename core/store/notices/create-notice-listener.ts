import type { Notice } from './notice.ts';

type Listener = (notice: Notice | undefined) => void;

/** Those who listen to what the processes at a database tell. */
export type Ear = {
  hear(listener: Listener): () => void;
  /** Something was told; nothing when some of it may have been lost. */
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
