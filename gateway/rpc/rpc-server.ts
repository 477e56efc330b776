import { namesEntryPoint } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import {
  type PmSupportedEntryPointsParams,
  pmSupportedEntryPoints,
} from '@tollfree/contract/rpc/pm-supported-entry-points';
import { type JSONRPCRequest, JSONRPCServer } from 'json-rpc-2.0';
import type { Logger } from '../../core/base/logger.ts';
import type { Arrival } from '../../core/domain/arrival.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Refusal, RefusalReason } from '../../core/domain/result/refusal.ts';
import { isCoreOutdated, isCoreUnavailable, type OutageLog } from '../core-unavailable.ts';
import { redactCredentials } from '../http/observe-request.ts';
import {
  estimateUserOperationGasMethod,
  gasPrices,
  operationLookups,
  sendUserOperationMethod,
} from './bundler-methods.ts';
import { bundlerEntryPointsMethod, ethChainIdMethod, pmChainIdMethod } from './chain-id.ts';
import { getAllowanceMethod } from './get-allowance.ts';
import { getFeeQuoteOrDataMethod } from './pm-get-fee-quote-or-data.ts';
import { getPaymasterDataMethod, getPaymasterStubDataMethod } from './pm-get-paymaster-data.ts';
import {
  sponsorUserOperationByEntryPointMethod,
  sponsorUserOperationMethod,
  zdSponsorUserOperationMethod,
} from './pm-sponsor-user-operation.ts';
import { validateSponsorshipPoliciesMethod } from './pm-validate-sponsorship-policies.ts';
import type { RpcRequest } from './read-request.ts';
import {
  internalErrorResponse,
  paramsRefusal,
  protocolErrorResponse,
  type RpcAddress,
  type RpcMethod,
  type RpcResponse,
  refusalResponse,
  successResponse,
} from './rpc-response.ts';
import { getSupportedTokensMethod, getTokenQuotesMethod, supportedErc20TokensMethod } from './token-methods.ts';
import { prepareRelayMethod, relayUserOperationMethod } from './tollfree-relay.ts';

const supportedEntryPointsMethod: RpcMethod<PmSupportedEntryPointsParams> = {
  method: pmSupportedEntryPoints.method,
  params: pmSupportedEntryPoints.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, arrival }) {
    const result = await core.listEntryPoints({ apiKey, chainId, arrival });
    return result.ok ? { ok: true, value: { jsonText: JSON.stringify(result.value) } } : result;
  },
};

/** What is known of a request besides its body. */
export type RpcContext = Omit<RpcAddress, 'arrival'> & {
  readonly requestId: string;
  /** Its page and address. */
  readonly from: Omit<Arrival, 'method'>;
};

/** Answers one request with a valid envelope. Never rejects. */
export type RpcServer = (request: RpcRequest, context: RpcContext) => Promise<RpcResponse>;

/** Refusals that can occur before the core has found the apiKey's paymaster. */
const beforeLookup: ReadonlySet<RefusalReason> = new Set([
  'UNAUTHORIZED',
  'CHAIN_NOT_SUPPORTED',
  'RATE_LIMITED',
  'INTERNAL',
]);

/** Also for an unreachable core: the gateway cannot tell the cause. */
const storeUnavailable: Refusal = {
  reason: 'STORE_UNAVAILABLE',
  message: 'The service cannot use its database at the moment. Send the same request again shortly.',
};

const coreOutdated: Refusal = {
  reason: 'STORE_UNAVAILABLE',
  message: 'The core of this service runs an earlier version and cannot do this. Send the same request again later.',
};

/** json-rpc-2.0 passes results through unchanged, so prepared JSON text can travel as one. */
type Written = { jsonrpc: '2.0'; id: null; result: RpcResponse };

function written(result: RpcResponse): Written {
  return { jsonrpc: '2.0', id: null, result };
}

/** Answers a request for one method. */
type Answer = (request: JSONRPCRequest, context: RpcContext) => Promise<RpcResponse>;

/** Serves the methods with json-rpc-2.0; params are parsed by each method's schema. */
export function createRpcServer(core: Core, logger: Logger, outages: OutageLog): RpcServer {
  const server = new JSONRPCServer<RpcContext>();

  function answering<Params>({ method, params: schema, paramCount, handle }: RpcMethod<Params>): Answer {
    return async ({ id = null, params }, context) => {
      try {
        const parsed = schema.safeParse(Array.isArray(params) ? params.slice(0, paramCount) : params);
        if (!parsed.success) return refusalResponse(id, paramsRefusal(parsed.error.issues), context.requestId);
        const result = await handle(core, parsed.data, { ...context, arrival: { ...context.from, method } });
        outages.answered();
        const answer = result.ok
          ? successResponse(id, result.value)
          : refusalResponse(id, result.refusal, context.requestId);
        return { keyAccepted: result.ok || !beforeLookup.has(result.refusal.reason), ...answer };
      } catch (error) {
        if (isCoreOutdated(error)) {
          outages.outdated(error);
          return refusalResponse(id, coreOutdated, context.requestId);
        }
        if (isCoreUnavailable(error)) {
          outages.failed(error);
          return refusalResponse(id, storeUnavailable, context.requestId);
        }
        logger.error({ err: error, requestId: context.requestId, method }, 'RPC method failed');
        return internalErrorResponse(id, context.requestId);
      }
    };
  }

  function add(method: string, answer: Answer): void {
    server.addMethodAdvanced(method, async (request, context) => written(await answer(request, context)));
  }
  add(getFeeQuoteOrDataMethod.method, answering(getFeeQuoteOrDataMethod));
  add(sponsorUserOperationMethod.method, answerSponsorUserOperation(answering));
  add(zdSponsorUserOperationMethod.method, answering(zdSponsorUserOperationMethod));
  add(getPaymasterStubDataMethod.method, answering(getPaymasterStubDataMethod));
  add(getPaymasterDataMethod.method, answering(getPaymasterDataMethod));
  add(prepareRelayMethod.method, answering(prepareRelayMethod));
  add(relayUserOperationMethod.method, answering(relayUserOperationMethod));
  add(supportedEntryPointsMethod.method, answering(supportedEntryPointsMethod));
  add(getTokenQuotesMethod.method, answering(getTokenQuotesMethod));
  add(getAllowanceMethod.method, answering(getAllowanceMethod));
  add(getSupportedTokensMethod.method, answering(getSupportedTokensMethod));
  add(validateSponsorshipPoliciesMethod.method, answering(validateSponsorshipPoliciesMethod));
  add(supportedErc20TokensMethod.method, answering(supportedErc20TokensMethod));
  add(ethChainIdMethod.method, answering(ethChainIdMethod));
  add(pmChainIdMethod.method, answering(pmChainIdMethod));
  add(sendUserOperationMethod.method, answering(sendUserOperationMethod));
  add(estimateUserOperationGasMethod.method, answering(estimateUserOperationGasMethod));
  add(bundlerEntryPointsMethod.method, answering(bundlerEntryPointsMethod));
  for (const lookup of operationLookups) add(lookup.method, answering(lookup));
  for (const price of gasPrices) add(price.method, answering(price));

  return async (request, context) => {
    if (!server.hasMethod(request.method)) {
      return protocolErrorResponse(request.id, 'methodNotFound', methodNotFound(request.method));
    }
    const response = await server.receive(request, context);
    return response?.result ?? internalErrorResponse(request.id, context.requestId);
  };
}

/** Longest part of an unknown method's name that is repeated, in characters. */
const maxNamedMethodLength = 64;

/** Uses the wording that ethers recognizes as an unsupported operation. */
function methodNotFound(method: string): string {
  const named = method.length > maxNamedMethodLength ? `${method.slice(0, maxNamedMethodLength)}…` : method;
  return `The method ${redactCredentials(named)} does not exist`;
}

/** One method name with two forms. */
function answerSponsorUserOperation(answering: <Params>(method: RpcMethod<Params>) => Answer): Answer {
  const byContext = answering(sponsorUserOperationMethod);
  const byEntryPoint = answering(sponsorUserOperationByEntryPointMethod);
  return (request, context) =>
    namesEntryPoint(request.params) ? byEntryPoint(request, context) : byContext(request, context);
}
