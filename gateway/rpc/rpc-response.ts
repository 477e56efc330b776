import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { JsonRpcId } from '@tollfree/contract/rpc/json-rpc';
import { jsonRpcErrors } from '@tollfree/contract/rpc/json-rpc-errors';
import { pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import { type RpcRefusal, rpcRefusals, type ThenPayInToken } from '@tollfree/contract/rpc/refusals';
import type { z } from 'zod';
import type { Arrival } from '../../core/domain/arrival.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Refusal, RefusalReason, TokenOffer } from '../../core/domain/result/refusal.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { outageRetryMs } from '../core-unavailable.ts';
import type { JsonText } from './json.ts';

/**
 * The target of a request (the two segments of the endpoint's address), and its caller: the counted address, and the parts
 * of its arrival that apiKeys can be restricted to.
 */
export type RpcAddress = {
  readonly chainId: number;
  readonly apiKey: string;
  readonly clientAddress: string;
  readonly arrival: Arrival;
  /** The token of `authorization: Bearer`, if one was sent: a ticket. */
  readonly bearer?: string;
};

type FromWhere = 'clientAddress' | 'arrival';

/** The target of a request that is only explained: it need not have a caller. */
export type UncountedAddress = Omit<RpcAddress, FromWhere> & Partial<Pick<RpcAddress, FromWhere>>;

/** One JSON-RPC method: its params are parsed before `handle`. */
export type RpcMethod<Params> = {
  readonly method: string;
  readonly params: z.ZodType<Params>;
  /** How many params are read; further ones are ignored. */
  readonly paramCount: number;
  handle(core: Core, params: Params, address: RpcAddress): Promise<Result<JsonText>>;
};

/** An answer before it is written: its HTTP status applies unless it is part of a batch. */
export type RpcResponse = {
  readonly jsonText: string;
  readonly httpStatus: number;
  /** Reason of a refusal, for the metrics. */
  readonly reason?: string;
  /** The core gave this answer after it had found the apiKey. */
  readonly keyAccepted?: boolean;
  /** Identifies the decision behind the answer, if there is one. */
  readonly decisionId?: string;
  /** Milliseconds to wait before the same request is sent again. */
  readonly retryAfterMs?: number;
};

/** Milliseconds to wait after a temporary refusal, if nothing more exact is known. */
const retryAfterMs: ReadonlyMap<RefusalReason, number> = new Map([
  ['RATE_LIMITED', 1_000],
  ['STORE_UNAVAILABLE', outageRetryMs],
]);

export function successResponse(id: JsonRpcId, result: JsonText): RpcResponse {
  const { jsonText, decisionId } = result;
  return {
    jsonText: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${jsonText}}`,
    httpStatus: 200,
    ...omitAbsent({ decisionId }),
  };
}

function errorJson(id: JsonRpcId, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

/** An error of JSON-RPC itself: parse error, invalid request, unknown method. */
export function protocolErrorResponse(id: JsonRpcId, kind: keyof typeof jsonRpcErrors, message: string): RpcResponse {
  const { code, httpStatus } = jsonRpcErrors[kind];
  return {
    jsonText: errorJson(id, code, message),
    httpStatus,
    reason: kind,
  };
}

/** The data of the bundler's error: its own fields, or the revert data of the operation's call, where viem expects it. */
function bundlerData(error: Refusal['bundlerError']): object {
  if (error?.dataJson === undefined) return {};
  const data: unknown = JSON.parse(error.dataJson);
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  return typeof data === 'string' && /^0x[0-9a-f]*$/i.test(data) ? { revertData: data } : { bundlerData: data };
}

/** A fault of the service: contains only the request's id. */
export function internalErrorResponse(id: JsonRpcId, requestId: string, decisionId?: string): RpcResponse {
  const { code, httpStatus } = rpcRefusals.INTERNAL;
  const data = { reason: 'INTERNAL', requestId, ...omitAbsent({ decisionId }) };
  return { jsonText: errorJson(id, code, `Internal error ${requestId}`, data), httpStatus, reason: 'INTERNAL' };
}

/**
 * A refusal of the core or of the gateway, by the table of `contract/rpc/refusals.ts`. The gateway's own refusals use the
 * request's id as their decision id, under which they are logged.
 */
export function refusalResponse(id: JsonRpcId, refusal: Refusal, requestId: string): RpcResponse {
  const { reason, limitKind, resetsAt, message, field, details, decisionId, tokenOffers, bundlerError } = refusal;
  const row: RpcRefusal | undefined =
    reason in rpcRefusals ? rpcRefusals[reason as keyof typeof rpcRefusals] : undefined;
  if (row === undefined || reason === 'INTERNAL') return internalErrorResponse(id, requestId, decisionId);
  const data = {
    ...bundlerData(bundlerError),
    ...details,
    reason,
    ...omitAbsent({ limitKind, resetsAt }),
    decisionId: decisionId ?? requestId,
    ...omitAbsent({ field, thenPayInToken: tokenOffers && thenPayInTokenJson(tokenOffers) }),
  };
  return {
    jsonText: errorJson(id, bundlerError?.code ?? row.code, message, data),
    httpStatus: row.httpStatus,
    reason,
    ...omitAbsent({ decisionId }),
    ...omitAbsent({ retryAfterMs: retryAfterMs.get(reason) }),
  };
}

/** The part of a refusal about tokens that the user may pay in instead. */
function thenPayInTokenJson(tokens: readonly TokenOffer[]): ThenPayInToken {
  return { ask: { method: pmGetFeeQuoteOrData.method, mode: 'ERC20' }, tokens: [...tokens] };
}

/** The needed part of zod's issue about a wrong value. */
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** `params[1].tokenInfo.tokenList[3]` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    'params',
  );
}

/** `INVALID_PARAMS` with the path of the first wrong parameter. */
export function paramsRefusal(issues: readonly Issue[]): Refusal {
  const { path, message } = issues[0] ?? { path: [], message: 'must be valid' };
  const field = pathText(path);
  return { reason: 'INVALID_PARAMS', message: `${field} ${message}`, field };
}
