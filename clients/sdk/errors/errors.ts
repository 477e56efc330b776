import type { JsonRpcError } from '@tollfree/contract/rpc/json-rpc';
import type { LimitKind } from '@tollfree/contract/rpc/limit-kinds';
import type { RpcRefusalReason, ThenPayInToken } from '@tollfree/contract/rpc/refusals';
import type { Address, Hex } from 'viem';

/** A stable reason. A newer service may know reasons that are not listed here. */
export type SponsorshipRefusalReason = RpcRefusalReason | (string & {});

/** Facts of a refusal. All are optional, and a newer service may have more. Amounts are in `unit`, as a policy writes them. */
export type RefusalDetails = Readonly<Record<string, unknown>> & {
  /** The bound that is exceeded: a field of the policy, a setting of the operator, or a limit like `limit-sender-day-operations`. */
  readonly limit?: string;
  /** Unit of `max`, `used` and `asked`: `WEI` is wei, `USD` decimal text like `0.50`. */
  readonly unit?: 'OPERATIONS' | 'WEI' | 'USD';
  readonly max?: string;
  readonly used?: string;
  /** What this request needs. */
  readonly asked?: string;
  /** The request alone needs more than the whole bound, so waiting does not help. */
  readonly fits?: 'never';
  /** How to get under the bound again, for developers. */
  readonly frees?: string;
  /** What a webhook that refused says to the page. Its owner writes it. */
  readonly webhookReason?: string;
  /** The called contract and the method's selector. */
  readonly target?: Address;
  readonly selector?: Hex;
  /** The EntryPoint's code of a failed operation, like `AA23`. */
  readonly aaCode?: string;
  /** A revert as text, and the bytes of a custom error. */
  readonly revert?: string;
  readonly revertData?: Hex;
};

/** The service refused to quote or sponsor. The message explains it to a person who can act on it. */
export class SponsorshipRefusedError extends Error {
  override readonly name = 'SponsorshipRefusedError';
  /** JSON-RPC error code. */
  readonly code: number;
  /** Absent for errors that JSON-RPC itself defines, such as an unknown method. */
  readonly reason: SponsorshipRefusalReason | undefined;
  /** Identifies the decision, to ask the service's operator about it. */
  readonly decisionId: string | undefined;
  /** The invalid input. */
  readonly field: string | undefined;
  /** Which bound `LIMIT_EXCEEDED` is about. */
  readonly limitKind: LimitKind | (string & {}) | undefined;
  /** Unix seconds from which on the same request may fit. Absent if waiting does not help. */
  readonly resetsAt: number | undefined;
  /** What the user may pay in instead, if a limit is used up and the policy offers it. */
  readonly thenPayInToken: ThenPayInToken | undefined;
  /** Further facts, e.g. `aaCode` of a failed estimation. */
  readonly details: RefusalDetails;
  /** HTTP status. */
  readonly status: number;

  constructor({ code, message, data }: JsonRpcError, status: number) {
    super(message);
    const { reason, decisionId, field, limitKind, resetsAt, thenPayInToken, ...details } = data ?? {
      reason: undefined,
    };
    this.code = code;
    this.reason = reason;
    this.decisionId = decisionId;
    this.field = field;
    this.limitKind = limitKind;
    this.resetsAt = resetsAt;
    this.thenPayInToken = thenPayInToken;
    this.details = details as RefusalDetails;
    this.status = status;
  }
}

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

/** The paymaster does not accept the token. `getSupportedTokens` lists the accepted ones. */
export class TokenNotTakenError extends Error {
  override readonly name = 'TokenNotTakenError';
  readonly token: Address;

  constructor(token: Address) {
    super(`The paymaster does not take the token ${token}.`);
    this.token = token;
  }
}
