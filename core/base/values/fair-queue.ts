/**
 * What waits, by its owner. Owners take turns: one that waits with much delays another by one item for each of its own. A full
 * queue turns away the last item of the owner that has most.
 */
type FairQueue<T> = {
  size(): number;
  /** Returns what it turns away, which may be the item itself. */
  add(owner: string, item: T): T | undefined;
  /** The next items, `count` at most, each owner's in the order they came. */
  take(count: number): T[];
};

export function createFairQueue<T>(max = Infinity): FairQueue<T> {
  /** The owner that has the next turn is first. */
  const owners = new Map<string, T[]>();
  let size = 0;

  /** In doubt the newcomer's: others have waited longer. */
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
    take: (count) => {
      const taken: T[] = [];
      while (taken.length < count && size > 0) {
        for (const [owner, items] of owners) {
          taken.push(...takeNext(owner, items));
          break;
        }
      }
      return taken;
    },
  };
}
