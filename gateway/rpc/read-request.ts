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

function wrongId(id: unknown): string {
  if (typeof id !== 'number') return 'id must be a string, a number or null';
  return `id is too large for a number, which is exact up to ${Number.MAX_SAFE_INTEGER}. Send it as a string`;
}

/** Parses one sent element: returns the request with `jsonrpc` set to `2.0`, or the -32600 response. */
export function readRequest(sent: unknown): { request: RpcRequest } | { response: RpcResponse } {
  const invalid = (id: JsonRpcId, message: string) => ({
    response: protocolErrorResponse(id, 'invalidRequest', message),
  });
  if (!isObject(sent)) return invalid(null, 'A request must be an object');
  const { jsonrpc, id, method, params } = sent;
  if (!isId(id)) return invalid(null, wrongId(id));
  if (!jsonRpcVersions.some((version) => version === jsonrpc)) return invalid(id, 'jsonrpc must be 2.0');
  if (typeof method !== 'string') return invalid(id, 'method must be a string');
  return { request: { jsonrpc: '2.0', id, method, params } };
}

/** The two segments of the RPC endpoint's address, as sent. */
export type RpcPath = { readonly chainId: string; readonly apiKey: string };

const pattern = /^\/api\/v[12]\/([^/?#]+)\/([^/?#]+)\/?(?:\?.*)?$/;

/** Reads `/api/v1/{chainId}/{apiKey}` and `/api/v2/{chainId}/{apiKey}`; undefined for any other path. */
export function readRpcPath(url: string): RpcPath | undefined {
  const [, chainId, apiKey] = pattern.exec(url) ?? [];
  // `/api/v2/public/…` is the management API.
  return chainId === undefined || apiKey === undefined || chainId === 'public' ? undefined : { chainId, apiKey };
}

/** A chain id in decimal digits that a double represents exactly, else undefined. */
export function readChainId(text: string): number | undefined {
  const chainId = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(chainId) ? chainId : undefined;
}
