/** Reads what many ask for at once a single time for all of them. What changes is read under another key. */
export type SharedReads<T> = { read(key: string, work: () => Promise<T>): Promise<T> };

export function createSharedReads<T>(): SharedReads<T> {
  const underWay = new Map<string, Promise<T>>();
  return {
    read(key, work) {
      const shared = underWay.get(key);
      if (shared !== undefined) return shared;
      const reading = work().finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
}
