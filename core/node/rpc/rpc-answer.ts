import { HttpRequestError, RpcError, RpcRequestError } from 'viem';

/**
 * What the other side itself said about a failed request. `code` and `data` are the JSON-RPC ones, absent in a bare HTTP
 * error.
 */
type RpcAnswer = { readonly code?: number; readonly details: string; readonly data?: unknown };

/** Takes the answer out of viem's errors; nothing when there was none (no connection, timeout, not JSON-RPC). */
export function readRpcAnswer(error: unknown): RpcAnswer | undefined {
  if (error instanceof RpcError || error instanceof RpcRequestError) {
    return { code: error.code, details: error.details, data: dataOf(error) };
  }
  // Some servers put a JSON-RPC error into an HTTP error.
  if (error instanceof HttpRequestError && error.status !== undefined) return { details: error.details };
  return undefined;
}

/** viem wraps the error that holds the data in one that says what its code means. */
function dataOf(error: RpcError | RpcRequestError): unknown {
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  return answered instanceof RpcRequestError ? answered.data : undefined;
}

/** JSON-RPC codes by which a node says that it does not serve us now; other errors are about the question. */
const refusesService = new Set([-32005, -32007, 429]);

/** Whether the error of a question is the other side's fault: no answer of JSON-RPC, or one that it does not serve us. */
export function isFailure(error: unknown): boolean {
  const code = readRpcAnswer(error)?.code;
  return code === undefined || refusesService.has(code);
}
