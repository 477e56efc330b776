import { z } from 'zod';
import { maxBatchSize } from '../limits.ts';
import { ethChainId } from '../rpc/eth-chain-id.ts';
import { JsonRpcErrorResponseSchema, jsonRpcRequest, jsonRpcResponse } from '../rpc/json-rpc.ts';
import { pimlicoGetSupportedTokens } from '../rpc/pimlico-get-supported-tokens.ts';
import { pimlicoGetTokenQuotes } from '../rpc/pimlico-get-token-quotes.ts';
import { pmChainId } from '../rpc/pm-chain-id.ts';
import { pmGetFeeQuoteOrData } from '../rpc/pm-get-fee-quote-or-data.ts';
import { pmGetPaymasterData } from '../rpc/pm-get-paymaster-data.ts';
import { pmGetPaymasterStubData } from '../rpc/pm-get-paymaster-stub-data.ts';
import { pmSponsorUserOperation } from '../rpc/pm-sponsor-user-operation.ts';
import { pmSponsorUserOperationByEntryPoint } from '../rpc/pm-sponsor-user-operation-by-entry-point.ts';
import { pmSupportedEntryPoints } from '../rpc/pm-supported-entry-points.ts';
import { pmSupportedErc20Tokens } from '../rpc/pm-supported-erc20-tokens.ts';
import { jsonRpcErrors, type RpcRefusal, rpcRefusals } from '../rpc/refusals.ts';
import { zdSponsorUserOperation } from '../rpc/zd-sponsor-user-operation.ts';
import { type OpenApiNode, openApiSchema } from './openapi-schema.ts';

const methods = [
  pmGetFeeQuoteOrData,
  pmSponsorUserOperation,
  pmGetPaymasterStubData,
  pmGetPaymasterData,
  pmSponsorUserOperationByEntryPoint,
  zdSponsorUserOperation,
  pmSupportedEntryPoints,
  pimlicoGetTokenQuotes,
  pimlicoGetSupportedTokens,
  pmSupportedErc20Tokens,
  pmChainId,
  ethChainId,
] as const;

const requests = z.union(methods.map(({ method, params }) => jsonRpcRequest<string, z.ZodType>(method, params)));
const results = z.union(methods.map(({ result }): z.ZodType => result));

function referenceTo(name: string): OpenApiNode {
  return { $ref: `#/components/schemas/${name}` };
}

function arrayOf(items: OpenApiNode): OpenApiNode {
  return { type: 'array', items };
}

function json(schema: OpenApiNode): OpenApiNode {
  return { 'application/json': { schema } };
}

/** Schemas that the RPC endpoint's paths refer to. */
export function rpcSchemas(): OpenApiNode {
  return {
    RpcRequest: openApiSchema(requests, 'request'),
    RpcResult: openApiSchema(jsonRpcResponse(results), 'response'),
    RpcError: openApiSchema(JsonRpcErrorResponseSchema, 'response'),
    RpcAnswer: { anyOf: [referenceTo('RpcResult'), referenceTo('RpcError')] },
  };
}

/** One response per HTTP status, its description listing the refusals that use it. */
function refusalResponses(): OpenApiNode {
  const lines = new Map<number, string[]>();
  const note = (name: string, { code, httpStatus, meaning }: RpcRefusal) => {
    lines.set(httpStatus, [...(lines.get(httpStatus) ?? []), `${code} ${name}: ${meaning}`]);
  };
  for (const [name, refusal] of [...Object.entries(jsonRpcErrors), ...Object.entries(rpcRefusals)]) {
    note(name, refusal);
  }
  return Object.fromEntries(
    [...lines].map(([status, texts]) => [
      String(status),
      { description: texts.join('\n\n'), content: json(referenceTo('RpcError')) },
    ]),
  );
}

function rpcOperation(version: 'v1' | 'v2'): OpenApiNode {
  const request = referenceTo('RpcRequest');
  const answer = referenceTo('RpcAnswer');
  return {
    post: {
      operationId: `rpc.${version}`,
      summary: 'JSON-RPC: fee quotes, sponsorship data, ERC-7677',
      description:
        `Takes one request or a batch of at most ${maxBatchSize}. A batch is answered with HTTP 200 and an array in the same order. ` +
        'The apiKey in the address is the only credential. Errors of pm_getFeeQuoteOrData and of pm_sponsorUserOperation ' +
        'with an object as second parameter show in the HTTP status; those of all other methods come with HTTP 200.',
      tags: ['rpc'],
      parameters: [
        { name: 'chainId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
        { name: 'apiKey', in: 'path', required: true, schema: { type: 'string' } },
      ],
      requestBody: {
        required: true,
        content: json({ anyOf: [request, { ...arrayOf(request), maxItems: maxBatchSize }] }),
      },
      responses: {
        200: { description: 'The result.', content: json({ anyOf: [answer, arrayOf(answer)] }) },
        ...refusalResponses(),
      },
    },
  };
}

/** The RPC endpoint's two addresses, as paths of the OpenAPI document. */
export function rpcPaths(): OpenApiNode {
  return { '/api/v1/{chainId}/{apiKey}': rpcOperation('v1'), '/api/v2/{chainId}/{apiKey}': rpcOperation('v2') };
}
