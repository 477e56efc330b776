/** Places for what is under way at once. */
type Slots = {
  /**
   * Takes places for an owner, one by default, to be given back once; undefined when too few are free, or the owner would have
   * more than its share. What is alone of its owner may be larger than the share.
   */
  take(owner: string, count?: number): (() => void) | undefined;
};

/** Of all places, the part that one owner may take: four of them are needed to fill all. */
const shareOfOwner = 1 / 4;

/** As many places as `count`, of which an owner has its share. A caller that finds none free is refused at once and does not wait. */
export function createSlots(count: number, share = Math.ceil(count * shareOfOwner)): Slots {
  const takenBy = new Map<string, number>();
  let taken = 0;

  function change(owner: string, by: number): void {
    const left = (takenBy.get(owner) ?? 0) + by;
    if (left === 0) takenBy.delete(owner);
    else takenBy.set(owner, left);
    taken += by;
  }

  return {
    take(owner, wanted = 1) {
      const own = takenBy.get(owner) ?? 0;
      if (taken + wanted > count || (own > 0 && own + wanted > share)) return undefined;
      change(owner, wanted);
      let isTaken = true;
      return () => {
        if (isTaken) change(owner, -wanted);
        isTaken = false;
      };
    },
  };
}
