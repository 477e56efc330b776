/**
 * `unreachable`: no answer came. `timeout`: none came in time. `unexpected-answer`: one came, and it is not in the form
 * of the interface, as from a proxy in between. After the first two it is not known whether the call was carried out.
 */
export type TransportFailure = 'unreachable' | 'timeout' | 'unexpected-answer';

/** A call got no answer of the service. Holds no URL: it may carry an apiKey. */
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

/** An answer that is not one of the interface's. `problem` says in a few words what is wrong with it. */
export function unexpectedAnswer(status: number, problem: string): TransportError {
  return new TransportError(`The service's answer (HTTP ${status}) ${problem}.`, {
    failure: 'unexpected-answer',
    status,
  });
}
