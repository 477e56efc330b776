/** Places for what is under way at once. */
export type Places = {
  /** Takes one for an owner, to be given back once; undefined when none is free, or the owner has its share. */
  take(owner: string): (() => void) | undefined;
};

/** Of all places, the part that one owner may take: four of them are needed to fill all. */
const shareOfOwner = 1 / 4;

/** As many places as `count`. A caller that finds none free is refused at once and does not wait. */
export function createPlaces(count: number): Places {
  const share = Math.ceil(count * shareOfOwner);
  const takenBy = new Map<string, number>();
  let taken = 0;

  function change(owner: string, by: 1 | -1): void {
    const left = (takenBy.get(owner) ?? 0) + by;
    if (left === 0) takenBy.delete(owner);
    else takenBy.set(owner, left);
    taken += by;
  }

  return {
    take(owner) {
      if (taken >= count || (takenBy.get(owner) ?? 0) >= share) return undefined;
      change(owner, 1);
      let isTaken = true;
      return () => {
        if (isTaken) change(owner, -1);
        isTaken = false;
      };
    },
  };
}
