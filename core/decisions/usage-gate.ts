/**
 * Keeps decisions where they are while usage is added up: it is read in many steps, and a decision that moved from the
 * records to the totals between two of them would be counted twice or not at all.
 */
export type UsageGate = {
  /** Runs `work`; nothing is pruned meanwhile. */
  reading<T>(work: () => Promise<T>): Promise<T>;
  /** Whether somebody reads. To be asked inside the transaction that prunes: who comes later reads what it leaves. */
  isRead(): boolean;
};

export function createUsageGate(): UsageGate {
  let readers = 0;
  return {
    reading: async (work) => {
      readers += 1;
      try {
        return await work();
      } finally {
        readers -= 1;
      }
    },
    isRead: () => readers > 0,
  };
}
