/** Time that passes only when it is told to. */
export function handTimes() {
  let now = 1_000_000;
  const due = new Set<{ readonly time: number; readonly work: () => void }>();
  return {
    clock: { now: () => now },
    timers: {
      at(time: number, work: () => void) {
        const entry = { time, work };
        due.add(entry);
        return () => void due.delete(entry);
      },
    },
    pass(ms: number) {
      now += ms;
      for (const entry of [...due].filter(({ time }) => time <= now)) {
        due.delete(entry);
        entry.work();
      }
    },
    /** Timers that no one has stopped and that have not come. */
    left: () => due.size,
  };
}
