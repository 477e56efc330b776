/** Places for what is under way at once. */
export type Places = {
  /** Takes one, to be given back once; undefined when none is free. */
  take(): (() => void) | undefined;
};

/** As many places as `count`: who finds none free is told so at once and does not wait. */
export function createPlaces(count: number): Places {
  let taken = 0;
  return {
    take() {
      if (taken >= count) return undefined;
      taken += 1;
      let isTaken = true;
      return () => {
        if (isTaken) taken -= 1;
        isTaken = false;
      };
    },
  };
}
