/**
 * A cache that several owners share: the owner with the most entries loses its least recently used one. An owner that fills
 * the cache only evicts its own entries while it has more than any other.
 */
type FairCache<V> = {
  get(owner: string, key: string): V | undefined;
  set(owner: string, key: string, value: V): void;
  delete(owner: string, key: string): void;
};

export function createFairCache<V>(max: number): FairCache<V> {
  /** Owners and entries in order of use, the most recent last. */
  const owners = new Map<string, Map<string, V>>();
  let size = 0;

  function touch(owner: string): Map<string, V> {
    const entries = owners.get(owner) ?? new Map<string, V>();
    owners.delete(owner);
    owners.set(owner, entries);
    return entries;
  }

  function remove(owner: string, key: string): void {
    const entries = owners.get(owner);
    if (entries?.delete(key) !== true) return;
    if (entries.size === 0) owners.delete(owner);
    size -= 1;
  }

  function evict(): void {
    let [most, largest] = ['', new Map<string, V>()];
    for (const [owner, entries] of owners) if (entries.size > largest.size) [most, largest] = [owner, entries];
    for (const oldest of largest.keys()) {
      remove(most, oldest);
      break;
    }
  }

  return {
    get: (owner, key) => {
      const value = owners.get(owner)?.get(key);
      if (value === undefined) return undefined;
      const entries = touch(owner);
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set: (owner, key, value) => {
      const entries = touch(owner);
      if (!entries.delete(key)) size += 1;
      entries.set(key, value);
      if (size > max) evict();
    },
    delete: remove,
  };
}

/**
 * For an LRU cache of at most `count` entries, which takes memory as it fills. With `max`, lru-cache allocates room for all
 * entries at once: milliseconds and megabytes for each of the large caches at a start.
 */
export function entriesUpTo(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
