/** Slots for concurrent work. */
type Slots = {
  /**
   * Takes slots for an owner, one by default, to be returned once; undefined when too few are free, or when the owner would
   * exceed its share. An owner's only work may exceed the share.
   */
  take(owner: string, count?: number): (() => void) | undefined;
};

/** The share of all slots that one owner may take: filling all requires four of them. */
const shareOfOwner = 1 / 4;

/**
 * Creates `count` slots, of which each owner gets a share. A caller without a free slot is refused at once and does not
 * wait.
 */
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
