import type { JsonRpcError } from '@tollfree/contract/rpc/json-rpc';
import type { RpcRefusalReason, ThenPayInToken } from '@tollfree/contract/rpc/refusals';

/** A stable reason. A newer service may know reasons that are not listed here. */
export type SponsorshipRefusalReason = RpcRefusalReason | (string & {});

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
  /** What the user may pay in instead, if a limit is used up and the policy offers it. */
  readonly thenPayInToken: ThenPayInToken | undefined;
  /** Further facts, e.g. `aaCode` of a failed estimation. */
  readonly details: Readonly<Record<string, unknown>>;
  /** HTTP status. */
  readonly status: number;

  constructor({ code, message, data }: JsonRpcError, status: number) {
    super(message);
    const { reason, decisionId, field, thenPayInToken, ...details } = data ?? { reason: undefined };
    this.code = code;
    this.reason = reason;
    this.decisionId = decisionId;
    this.field = field;
    this.thenPayInToken = thenPayInToken;
    this.details = details;
    this.status = status;
  }
}
