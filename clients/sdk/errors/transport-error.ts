/**
 * `unreachable`: no answer. `timeout`: no answer in time. `unexpected-answer`: an answer that is not the service's, e.g.
 * from a proxy in between. After the first two it is unknown whether the call was carried out.
 */
export type TransportFailure = 'unreachable' | 'timeout' | 'unexpected-answer';

/** A call got no answer from the service. The error contains no URL, which may contain an apiKey. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;
  /** HTTP status of an unexpected answer. */
  readonly status: number | undefined;

  constructor(message: string, options: { failure: TransportFailure; status?: number; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.failure = options.failure;
    this.status = options.status;
  }
}

/** An answer that is not the API's. `problem` describes it in a few words. */
export function unexpectedAnswer(status: number, problem: string): TransportError {
  return new TransportError(`The service's answer (HTTP ${status}) ${problem}.`, {
    failure: 'unexpected-answer',
    status,
  });
}
