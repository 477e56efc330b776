/** Another process has moved the watch since a stretch was read: the stretch is no longer the next one. */
export class WatchMoved extends Error {
  override readonly name = 'WatchMoved';

  constructor(chainId: number, contract: string) {
    super(`The watch of contract ${contract} on chain ${chainId} is no longer where this stretch begins.`);
  }
}
