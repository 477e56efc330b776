import type { RpcRefusal } from './refusals.ts';

/** Errors that JSON-RPC itself defines. */
export const jsonRpcErrors = {
  parseError: {
    code: -32700,
    httpStatus: 400,
    meaning: 'The body is not valid JSON.',
    remedy: 'Send a JSON text as the body.',
  },
  invalidRequest: {
    code: -32600,
    httpStatus: 400,
    meaning: 'Not a JSON-RPC request, or a batch that is too large.',
    remedy: 'Send `jsonrpc`, `id` and `method`. Split a batch that is too large.',
  },
  // No client of the methods that show errors in the HTTP status asks for it. Others, such as viem, read no code from a 404.
  methodNotFound: {
    code: -32601,
    httpStatus: 200,
    meaning: 'The method does not exist.',
    remedy: 'Use a method of this endpoint. Send calls for a node to a node.',
  },
} as const satisfies Record<string, RpcRefusal>;
