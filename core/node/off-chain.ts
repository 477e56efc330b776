/** A block that is in the ledger is not on the chain as a node has it. */
export class OffChain extends Error {
  override readonly name = 'OffChain';
  readonly blockNumber: bigint;

  constructor(blockNumber: bigint) {
    super(`Block ${blockNumber}, which is in the ledger, is no longer on the chain.`);
    this.blockNumber = blockNumber;
  }
}
