/** What a chunk takes in addition to its bytes: a client may send one byte at a time. */
const bytesOfChunk = 512;

/** A body that is being received. */
export type BodyUnderWay = {
  /** Counts a chunk that is kept. */
  addChunk(bytes: number): void;
  /** Stops counting: the body has arrived, or is not read any more. */
  end(): void;
};

export type BodiesUnderWay = { begin(giveUp: () => void): BodyUnderWay };

/**
 * Bounds the memory of bodies that clients have begun to send. What is complete is parsed at once, and the places of requests bound
 * it; what is not may stay for half a minute. If all of them together have too many bytes, the one that began first is given up:
 * honest ones are complete before that.
 */
export function createBodiesUnderWay(maxBytes: number): BodiesUnderWay {
  /** By age. */
  const bodies = new Set<{ bytes: number; readonly giveUp: () => void }>();
  let total = 0;

  return {
    begin(giveUp) {
      const body = { bytes: 0, giveUp };
      bodies.add(body);
      const end = (of: typeof body): void => {
        if (bodies.delete(of)) total -= of.bytes;
      };
      return {
        addChunk(bytes) {
          if (!bodies.has(body)) return;
          body.bytes += bytes + bytesOfChunk;
          total += bytes + bytesOfChunk;
          for (const oldest of bodies) {
            if (total <= maxBytes) break;
            end(oldest);
            oldest.giveUp();
          }
        },
        end: () => end(body),
      };
    },
  };
}
