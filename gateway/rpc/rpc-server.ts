import { namesEntryPoint } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import {
  type PmSupportedEntryPointsParams,
  pmSupportedEntryPoints,
} from '@tollfree/contract/rpc/pm-supported-entry-points';
import type { Logger } from '../../core/base/logger.ts';
import type { Arrival } from '../../core/domain/arrival.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Refusal, RefusalReason } from '../../core/domain/result/refusal.ts';
import { isCoreUnavailable, type OutageLog } from '../core-unavailable.ts';
import { redactCredentials } from '../http/redact-credentials.ts';
import { estimateUserOperationGasMethod, sendUserOperationMethod } from './bundler/bundled-operation.ts';
import { gasPrices } from './bundler/gas-prices.ts';
import { operationLookups } from './bundler/operation-lookups.ts';
import { bundlerEntryPointsMethod, ethChainIdMethod, pmChainIdMethod } from './chain-id.ts';
import { getAllowanceMethod } from './get-allowance.ts';
import { paramsRefusal } from './params-refusal.ts';
import { getSupportedTokensMethod, getTokenQuotesMethod } from './pimlico-get-token-quotes.ts';
import { getFeeQuoteOrDataMethod } from './pm-get-fee-quote-or-data.ts';
import { getPaymasterDataMethod, getPaymasterStubDataMethod } from './pm-get-paymaster-data.ts';
import {
  sponsorUserOperationByEntryPointMethod,
  sponsorUserOperationMethod,
  zdSponsorUserOperationMethod,
} from './pm-sponsor-user-operation.ts';
import { supportedErc20TokensMethod } from './pm-supported-erc20-tokens.ts';
import { validateSponsorshipPoliciesMethod } from './pm-validate-sponsorship-policies.ts';
import type { RpcRequest } from './read-request.ts';
import type { RpcAddress, RpcMethod } from './rpc-method.ts';
import {
  internalErrorResponse,
  protocolErrorResponse,
  type RpcResponse,
  refusalResponse,
  successResponse,
} from './rpc-response.ts';
import { prepareRelayMethod, relayUserOperationMethod } from './tollfree-relay.ts';
import { sendAuthorizationMethod } from './tollfree-send-authorization.ts';

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

/** Answers a request for one method. */
type Answer = RpcServer;

/** Serves the methods; params are parsed by each method's schema. */
export function createRpcServer(core: Core, logger: Logger, outages: OutageLog): RpcServer {
  const answers = new Map<string, Answer>();

  function answering<Params>({ method, params: schema, paramCount, handle }: RpcMethod<Params>): Answer {
    return async ({ id, params }, context) => {
      try {
        const parsed = schema.safeParse(Array.isArray(params) ? params.slice(0, paramCount) : params);
        if (!parsed.success) {
          return refusalResponse(id, paramsRefusal(parsed.error.issues), context.requestId);
        }
        const result = await handle(core, parsed.data, { ...context, arrival: { ...context.from, method } });
        outages.answered();
        const answer = result.ok
          ? successResponse(id, result.value)
          : refusalResponse(id, result.refusal, context.requestId);
        return { keyAccepted: result.ok || !beforeLookup.has(result.refusal.reason), ...answer };
      } catch (error) {
        if (isCoreUnavailable(error)) {
          outages.failed(error);
          return refusalResponse(id, storeUnavailable, context.requestId);
        }
        logger.error({ err: error, requestId: context.requestId, method }, 'RPC method failed');
        return internalErrorResponse(id, context.requestId);
      }
    };
  }

  function add<Params>(method: RpcMethod<Params>, answer = answering(method)): void {
    answers.set(method.method, answer);
  }
  add(getFeeQuoteOrDataMethod);
  add(sponsorUserOperationMethod, answerSponsorUserOperation(answering));
  add(zdSponsorUserOperationMethod);
  add(getPaymasterStubDataMethod);
  add(getPaymasterDataMethod);
  add(prepareRelayMethod);
  add(relayUserOperationMethod);
  add(sendAuthorizationMethod);
  add(supportedEntryPointsMethod);
  add(getTokenQuotesMethod);
  add(getAllowanceMethod);
  add(getSupportedTokensMethod);
  add(validateSponsorshipPoliciesMethod);
  add(supportedErc20TokensMethod);
  add(ethChainIdMethod);
  add(pmChainIdMethod);
  add(sendUserOperationMethod);
  add(estimateUserOperationGasMethod);
  add(bundlerEntryPointsMethod);
  for (const lookup of operationLookups) add(lookup);
  for (const price of gasPrices) add(price);

  return async (request, context) => {
    const answer = answers.get(request.method);
    return answer === undefined
      ? protocolErrorResponse(request.id, 'methodNotFound', methodNotFound(request.method))
      : answer(request, context);
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
