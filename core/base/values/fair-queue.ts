/**
 * A queue with turns by owner: an owner with many items delays another by one item for each of the other's own. A full queue
 * drops the last item of the owner with the most items.
 */
type FairQueue<T> = {
  size(): number;
  /** Returns the dropped item, which may be the new one. */
  add(owner: string, item: T): T | undefined;
  /** The next items, at most `count`, each owner's in order of arrival; only of owners that are `ready`, if that is given. */
  take(count: number, ready?: (owner: string) => boolean): T[];
};

export function createFairQueue<T>(max = Infinity): FairQueue<T> {
  /** The owner whose turn is next comes first. */
  const owners = new Map<string, T[]>();
  let size = 0;

  /** On a tie, the newcomer's item is dropped: others have waited longer. */
  function turnAway(newcomer: string): T | undefined {
    let [most, largest] = [newcomer, owners.get(newcomer) ?? []];
    for (const [owner, items] of owners) if (items.length > largest.length) [most, largest] = [owner, items];
    size -= 1;
    const last = largest.pop();
    if (largest.length === 0) owners.delete(most);
    return last;
  }

  function takeNext(owner: string, items: T[]): T[] {
    owners.delete(owner);
    const next = items.splice(0, 1);
    if (items.length > 0) owners.set(owner, items);
    size -= next.length;
    return next;
  }

  return {
    size: () => size,
    add: (owner, item) => {
      const own = owners.get(owner);
      if (own === undefined) owners.set(owner, [item]);
      else own.push(item);
      size += 1;
      return size > max ? turnAway(owner) : undefined;
    },
    take: (count, ready = () => true) => {
      const taken: T[] = [];
      for (let found = true; found && taken.length < count; ) {
        found = false;
        for (const [owner, items] of owners) {
          if (!ready(owner)) continue;
          taken.push(...takeNext(owner, items));
          found = true;
          break;
        }
      }
      return taken;
    },
  };
}
