/** Blocks asked for in one `eth_getLogs`. */
const widest = 2_000n;

/** How many blocks a node is asked about at once: halved when it says that those were too many, and growing again. */
export type QuestionWidth = {
  blocks(): bigint;
  /** False when fewer cannot be asked for. */
  shrink(): boolean;
  grow(): void;
};

export function createQuestionWidth(): QuestionWidth {
  let width = widest;
  return {
    blocks: () => width,
    shrink: () => {
      if (width === 1n) return false;
      width /= 2n;
      return true;
    },
    grow: () => {
      width = width * 2n > widest ? widest : width * 2n;
    },
  };
}
