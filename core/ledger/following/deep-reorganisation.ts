/** A block that is in the books is no longer on the chain: it went further back than the confirmations waited for. */
export class DeepReorganisation extends Error {
  override readonly name = 'DeepReorganisation';
  readonly blockNumber: bigint;

  constructor(blockNumber: bigint) {
    super(`Block ${blockNumber}, which is in the books, is no longer on the chain.`);
    this.blockNumber = blockNumber;
  }
}
