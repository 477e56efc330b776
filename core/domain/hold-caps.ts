/**
 * What may be open at a gas tank at a time, so that no one locks it with signatures that are never sent. A hold is open
 * while its operation has neither landed nor expired. Shares are of what the tank can spend: 0.1 is a tenth.
 */
export type HoldCaps = {
  /** Of one sender, as far as one client address asks for it: others could fill what it may have open. */
  readonly maxOpenHoldsPerSender: number;
  /** A sender's only operation may take more. */
  readonly maxShareOfTankPerSender: number;
  /** Of one client address, as the gateway sees it; requests that come without one are not counted. */
  readonly maxOpenHoldsPerClient: number;
  /** A client's only operation may take more. Also its part of what may end unpaid of a paymaster. */
  readonly maxShareOfTankPerClient: number;
  /** Of holds whose signature never expires, all senders together; the only one may take more. */
  readonly maxShareOfTankWithoutExpiry: number;
  /** Of holds whose signature lasts longer than `validity.maxSeconds`, all senders together. Not even the only one may take more. */
  readonly maxShareOfTankLastingLong: number;
};

/** What holds when the operator does not say. */
export const defaultHoldCaps: HoldCaps = {
  maxOpenHoldsPerSender: 10,
  maxShareOfTankPerSender: 0.1,
  maxOpenHoldsPerClient: 200,
  maxShareOfTankPerClient: 0.5,
  maxShareOfTankWithoutExpiry: 0.5,
  maxShareOfTankLastingLong: 0.2,
};
