import { type JsonRpcId, jsonRpcVersions } from '@tollfree/contract/rpc/json-rpc';
import { protocolErrorResponse, type RpcResponse } from './rpc-response.ts';

/** A request with a valid envelope; its params have not been checked yet. */
export type RpcRequest = {
  readonly jsonrpc: '2.0';
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params?: unknown;
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that a double cannot represent exactly could not be echoed unchanged, so it is not a valid id. */
function isId(value: unknown): value is JsonRpcId {
  if (typeof value === 'number') {
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  }
  return typeof value === 'string' || value === null;
}

/** Parses one sent element: returns the request with `jsonrpc` set to `2.0`, or the -32600 response. */
export function readRequest(sent: unknown): { request: RpcRequest } | { response: RpcResponse } {
  const invalid = (id: JsonRpcId, message: string) => ({
    response: protocolErrorResponse(id, 'invalidRequest', message),
  });
  if (!isObject(sent)) {
    return invalid(null, 'A request must be an object');
  }
  const { jsonrpc, id, method, params } = sent;
  if (!isId(id)) {
    return invalid(null, 'id must be a string, a number or null');
  }
  if (!jsonRpcVersions.some((version) => version === jsonrpc)) {
    return invalid(id, 'jsonrpc must be 2.0');
  }
  if (typeof method !== 'string') {
    return invalid(id, 'method must be a string');
  }
  return { request: { jsonrpc: '2.0', id, method, params } };
}
