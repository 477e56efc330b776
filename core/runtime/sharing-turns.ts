/** Work that is done once at a time for all who want it. */
type SharingTurns = {
  /** The work under way, or a new turn of it. */
  join(): Promise<void>;
  /** A turn that begins after this call: who comes while one is under way shares the one after it. */
  next(): Promise<void>;
  /** Resolves when nothing is under way. */
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
