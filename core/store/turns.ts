/** Most callers that wait at once; more are rejected. */
const maxWaiting = 10_000;

/** One connection for many callers, served in order of arrival. */
type Turns = {
  /** Resolves when it is the caller's turn, which lasts until `end`. */
  begin(): Promise<void>;
  end(): void;
};

export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    begin: async () => {
      if (!taken) {
        taken = true;
        return;
      }
      if (waiting.length >= maxWaiting) throw new Error(`More than ${maxWaiting} queries wait for the database`);
      await new Promise<void>((served) => waiting.push(served));
    },
    end: () => {
      const next = waiting.shift();
      if (next === undefined) taken = false;
      else next();
    },
  };
}
