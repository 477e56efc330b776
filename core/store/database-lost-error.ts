import { errorCode } from './store-error.ts';

/** The database does not answer, or is not this process's any more. `detail` completes the sentence "Nothing can be written: …". */
export class DatabaseLostError extends Error {
  override readonly name = 'DatabaseLostError';
  readonly detail: string;
  /** What the server or the network calls it, where that is known. */
  readonly code: string | undefined;

  constructor(detail: string, options?: ErrorOptions) {
    super(`Nothing can be written: ${detail}`, options);
    this.detail = detail;
    this.code = errorCode(options?.cause);
  }
}
