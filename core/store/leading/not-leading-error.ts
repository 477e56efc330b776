/** What runs by itself was to write something, and another process does that by now. Nothing was written. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError';

  constructor() {
    super('Another process keeps the ledger now');
  }
}
