/** The store cannot be opened. The message is a sentence for the operator that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
