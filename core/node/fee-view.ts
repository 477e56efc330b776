/** What a chain asks for gas at present, in wei per gas. */
export type FeeView = {
  /** The highest base fee of the next block and the latest few; 0 on a chain that has none. */
  readonly baseFee: bigint;
  /** The tip that the node suggests; on a chain without a base fee, the gas price. */
  readonly suggestedTip: bigint;
};
