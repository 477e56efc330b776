/** Background work tried to write although another process leads by now. Nothing was written. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError';

  constructor() {
    super('Another process keeps the ledger now');
  }
}
