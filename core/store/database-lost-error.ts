/** The database does not answer, or is not this process's any more. `detail` completes the sentence "Nothing can be written: …". */
export class DatabaseLostError extends Error {
  override readonly name = 'DatabaseLostError';
  readonly detail: string;

  constructor(detail: string, options?: ErrorOptions) {
    super(`Nothing can be written: ${detail}`, options);
    this.detail = detail;
  }
}
