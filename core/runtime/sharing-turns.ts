/** Work that runs once at a time, shared by all callers that want it. */
type SharingTurns = {
  /** The running turn, or a new one. */
  join(): Promise<void>;
  /** A turn that begins after this call: callers during a running turn share the one after it. */
  next(): Promise<void>;
  /** Resolves when nothing is running. */
  ended(): Promise<void>;
};

export function createSharingTurns(work: () => Promise<void>): SharingTurns {
  let underWay: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  function join(): Promise<void> {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  return {
    join,
    next: () => {
      if (underWay === undefined) return join();
      following ??= underWay
        .catch(() => undefined)
        .then(() => {
          following = undefined;
          return join();
        });
      return following;
    },
    ended: async () => {
      await (following ?? underWay)?.catch(() => undefined);
    },
  };
}
