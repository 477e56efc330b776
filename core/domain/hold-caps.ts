/**
 * What may be open on a gas tank at a time, so that no one can lock it with signatures that are never sent. A hold is open
 * until its operation lands or expires. Shares are of what the tank can spend: 0.1 is a tenth.
 */
export type HoldCaps = {
  /** Per sender, counting only requests from the same client address: otherwise others could use up a sender's allowance. */
  readonly maxOpenHoldsPerSender: number;
  /** A sender's only operation may exceed it. */
  readonly maxShareOfTankPerSender: number;
  /** Per client address, as the gateway sees it; requests without one are not counted. */
  readonly maxOpenHoldsPerClient: number;
  /** A client's only operation may exceed it. Also the client's share of what may end unpaid for a paymaster. */
  readonly maxShareOfTankPerClient: number;
  /** For holds whose signature never expires, all senders together; a single one may exceed it. */
  readonly maxShareOfTankWithoutExpiry: number;
  /**
   * For holds whose signature lasts longer than `validity.maxSeconds`, all senders together. Even a single one may not
   * exceed it.
   */
  readonly maxShareOfTankLastingLong: number;
};

/** The default caps. */
export const defaultHoldCaps: HoldCaps = {
  maxOpenHoldsPerSender: 10,
  maxShareOfTankPerSender: 0.1,
  maxOpenHoldsPerClient: 200,
  maxShareOfTankPerClient: 0.5,
  maxShareOfTankWithoutExpiry: 0.5,
  maxShareOfTankLastingLong: 0.2,
};
