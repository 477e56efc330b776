import { HttpRequestError, RpcError, RpcRequestError } from 'viem';

/**
 * The other side's own error about a failed request. `code` and `data` are the JSON-RPC ones, absent in a bare HTTP error.
 */
type RpcAnswer = { readonly code?: number; readonly details: string; readonly data?: unknown };

/** Extracts the answer from viem's errors; undefined when there was none (no connection, timeout, not JSON-RPC). */
export function readRpcAnswer(error: unknown): RpcAnswer | undefined {
  if (error instanceof RpcError || error instanceof RpcRequestError) {
    return { code: error.code, details: error.details, data: dataOf(error) };
  }
  // Some servers put a JSON-RPC error into an HTTP error.
  if (error instanceof HttpRequestError && error.status !== undefined) return { details: error.details };
  return undefined;
}

/** viem wraps the error with the data in one that explains its code. */
function dataOf(error: RpcError | RpcRequestError): unknown {
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  return answered instanceof RpcRequestError ? answered.data : undefined;
}

/** JSON-RPC codes with which a node refuses service for now; other errors are about the question. */
const refusesService = new Set([-32005, -32007, 429]);

/** Whether the other side caused the error: no JSON-RPC answer, or a refusal of service. */
export function isFailure(error: unknown): boolean {
  const code = readRpcAnswer(error)?.code;
  return code === undefined || refusesService.has(code);
}
