/** The service refused a management call (interface section 7). The message is the service's own sentence. */
export class TollfreeApiError extends Error {
  override readonly name = 'TollfreeApiError';
  /** HTTP status. */
  readonly status: number;
  /** The body's `statusCode`: the HTTP status, except in two cases of the interface. */
  readonly statusCode: number;
  /** Seconds to wait before the next try, if the service sets them. */
  readonly retryAfter: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly statusCode: number;
    readonly message: string;
    readonly retryAfter?: number | undefined;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.statusCode = answer.statusCode;
    this.retryAfter = answer.retryAfter;
  }
}
