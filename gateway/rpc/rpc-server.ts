import { type JSONRPCRequest, JSONRPCServer } from 'json-rpc-2.0';
import type { Core } from '../../core/core.ts';
import type { Logger } from '../../core/domain/logger.ts';
import type { RefusalReason } from '../../core/domain/refusal.ts';
import { isCoreUnavailable } from '../core-unavailable.ts';
import { paramsRefusal } from './params-refusal.ts';
import { getFeeQuoteOrDataMethod } from './pm-get-fee-quote-or-data.ts';
import { sponsorUserOperationMethod } from './pm-sponsor-user-operation.ts';
import type { RpcRequest } from './read-request.ts';
import type { RpcAddress, RpcMethod } from './rpc-method.ts';
import {
  internalErrorResponse,
  protocolErrorResponse,
  type RpcResponse,
  refusalResponse,
  successResponse,
} from './rpc-response.ts';

/** What a request brings beside itself. */
export type RpcContext = RpcAddress & { readonly requestId: string };

/** Answers one request whose envelope is right. Never rejects. */
export type RpcServer = (request: RpcRequest, context: RpcContext) => Promise<RpcResponse>;

/** Refusals that can come before the core has found the apiKey's paymaster. */
const beforeLookup: ReadonlySet<RefusalReason> = new Set([
  'UNAUTHORIZED',
  'CHAIN_NOT_SUPPORTED',
  'RATE_LIMITED',
  'INTERNAL',
]);

/** json-rpc-2.0 hands results through unseen, so a written answer travels as one. */
type Written = { jsonrpc: '2.0'; id: null; result: RpcResponse };

function written(result: RpcResponse): Written {
  return { jsonrpc: '2.0', id: null, result };
}

/** Serves the methods with json-rpc-2.0; params are parsed by each method's schema, elements beyond two ignored. */
export function createRpcServer(core: Core, logger: Logger): RpcServer {
  const server = new JSONRPCServer<RpcContext>();

  function add<Params>({ method, params: schema, handle }: RpcMethod<Params>): void {
    server.addMethodAdvanced(method, async ({ id = null, params }: JSONRPCRequest, context) => {
      const parsed = schema.safeParse(Array.isArray(params) ? params.slice(0, 2) : params);
      if (!parsed.success) {
        return written(refusalResponse(id, paramsRefusal(parsed.error.issues), context.requestId));
      }
      try {
        const result = await handle(core, parsed.data, context);
        const answer = result.ok
          ? successResponse(id, result.value)
          : refusalResponse(id, result.refusal, context.requestId);
        return written({ ...answer, keyAccepted: result.ok || !beforeLookup.has(result.refusal.reason) });
      } catch (error) {
        logger.error({ requestId: context.requestId, method, err: error }, 'RPC method failed');
        const answer = internalErrorResponse(id, context.requestId);
        return written(isCoreUnavailable(error) ? { ...answer, httpStatus: 503 } : answer);
      }
    });
  }
  add(getFeeQuoteOrDataMethod);
  add(sponsorUserOperationMethod);

  return async (request, context) => {
    if (!server.hasMethod(request.method)) {
      return protocolErrorResponse(request.id, 'methodNotFound', 'The method does not exist', request.method);
    }
    const response = await server.receive(request, context);
    return response?.result ?? internalErrorResponse(request.id, context.requestId);
  };
}
