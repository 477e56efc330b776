/** What one sender may have open at a gas tank at a time, so that nobody locks it with signatures that are never sent. */
export type HoldCaps = {
  /** Operations that are signed for and have neither landed nor expired. */
  readonly maxOpenHoldsPerSender: number;
  /**
   * The part of what the tank can spend that one sender's open holds may take; 0.1 is a tenth. A single operation may
   * take more.
   */
  readonly maxShareOfTankPerSender: number;
};

/** What holds when the operator does not say. */
export const defaultHoldCaps: HoldCaps = { maxOpenHoldsPerSender: 10, maxShareOfTankPerSender: 0.1 };
