/**
 * For an LRU cache of at most `count` entries, which takes memory as it fills. With `max`, lru-cache allocates room for all
 * entries at once: milliseconds and megabytes for each of the large caches at a start.
 */
export function entriesUpTo(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
