import { errorCode } from './store-error.ts';

/**
 * The database does not answer, or no longer belongs to this process. `detail` completes the sentence "Nothing can be
 * written: …".
 */
export class DatabaseLostError extends Error {
  override readonly name = 'DatabaseLostError';
  readonly detail: string;
  /** The error code of the server or the network, if known. */
  readonly code: string | undefined;

  constructor(detail: string, options?: ErrorOptions) {
    super(`Nothing can be written: ${detail}`, options);
    this.detail = detail;
    this.code = errorCode(options?.cause);
  }
}
