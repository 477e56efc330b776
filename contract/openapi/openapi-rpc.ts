import { z } from 'zod';
import { maxBatchSize } from '../limits.ts';
import { PolicyFileSchema } from '../policy-file.ts';
import { JsonRpcErrorResponseSchema, jsonRpcRequest, jsonRpcResponse } from '../rpc/json-rpc.ts';
import { jsonRpcErrors } from '../rpc/json-rpc-errors.ts';
import { type RpcRefusal, rpcRefusals } from '../rpc/refusals.ts';
import { documentedMethods } from './documented-methods.ts';

const requests = z.union(
  documentedMethods.map(({ method, params }) => jsonRpcRequest<string, z.ZodType>(method, params)),
);
const results = z.union(documentedMethods.map(({ result }): z.ZodType => result));

function referenceTo(name: string): OpenApiNode {
  return { $ref: `#/components/schemas/${name}` };
}

function arrayOf(items: OpenApiNode): OpenApiNode {
  return { type: 'array', items };
}

function json(schema: OpenApiNode): OpenApiNode {
  return { 'application/json': { schema } };
}

/** Schemas referenced by the RPC endpoint's paths. */
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

const endpointParameters: readonly OpenApiNode[] = [
  { name: 'chainId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  { name: 'apiKey', in: 'path', required: true, schema: { type: 'string' } },
];

function rpcOperation(version: 'v1' | 'v2'): OpenApiNode {
  const request = referenceTo('RpcRequest');
  const answer = referenceTo('RpcAnswer');
  return {
    post: {
      operationId: `rpc.${version}`,
      summary: 'JSON-RPC: fee quotes, sponsorship data, ERC-7677',
      description:
        `Takes one request or a batch of at most ${maxBatchSize}. A batch is answered with HTTP 200 and an array in the same order. ` +
        'The apiKey in the address is the only credential. pm_getFeeQuoteOrData, and pm_sponsorUserOperation with an object ' +
        'as second parameter, report errors in the HTTP status. All other methods report errors with HTTP 200.',
      tags: ['rpc'],
      parameters: endpointParameters,
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

/**
 * The RPC methods for human readers: a path per method, distinguished by a fragment that no client sends. A document for
 * programs cannot have these, because a path has no fragment.
 */
export function rpcPathsByMethod(): OpenApiNode {
  return Object.fromEntries(
    documentedMethods.map(({ method, params, result, summary, description, example }, index) => {
      const form = documentedMethods.findIndex((other) => other.method === method) === index ? '' : '-by-entry-point';
      const operation: OpenApiNode = {
        operationId: `rpc.${method}${form}`,
        summary: `${method}: ${summary}`,
        description,
        tags: ['rpc'],
        parameters: endpointParameters,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: openApiSchema(jsonRpcRequest<string, z.ZodType>(method, params), 'request'),
              example: { jsonrpc: '2.0', id: 1, method, params: example },
            },
          },
        },
        responses: {
          200: {
            description: 'The result.',
            content: json(openApiSchema(jsonRpcResponse<z.ZodType>(result), 'response')),
          },
          default: { description: 'A refusal. See the list above.', content: json(referenceTo('RpcError')) },
        },
      };
      return [`/api/v2/{chainId}/{apiKey}#${method}${form}`, { post: operation }];
    }),
  );
}

/** The introduction before the methods, with the refusals that all of them can return. */
export function rpcTag(): OpenApiNode {
  const refusals = [...Object.entries(jsonRpcErrors), ...Object.entries(rpcRefusals)] as [string, RpcRefusal][];
  const rows = refusals.map(
    ([name, { code, httpStatus, meaning, remedy, fix }]) =>
      `| ${code} | ${name} | ${httpStatus} | ${meaning} | ${remedy}${fix?.action === 'look-at-status' ? ' It is in `/readyz`.' : ''} |`,
  );
  const table = ['| code | reason | HTTP | cause | remedy |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  return { name: 'rpc', description: `JSON-RPC 2.0. The apiKey in the address is the only credential.\n\n${table}` };
}

/** A node of the OpenAPI document. */
export type OpenApiNode = { [key: string]: unknown };

/** A zod schema in the dialect of OpenAPI 3.0, for requests as sent and answers as received. */
export function openApiSchema(schema: z.ZodType, direction: 'request' | 'response'): OpenApiNode {
  const { $schema: _dialect, ...node } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: direction === 'request' ? 'input' : 'output',
    unrepresentable: 'any',
  });
  return withoutAdditionalProperties(node) as OpenApiNode;
}

/** Answers may gain fields, so no schema forbids unknown ones: removes `additionalProperties: false`. */
function withoutAdditionalProperties(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAdditionalProperties);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, withoutAdditionalProperties(value)]),
  );
}

/**
 * Text of `contract/schemas/policy.json`, for editors: the file format in the JSON Schema draft that most of them
 * support. Rules across fields are checked by the program.
 */
export function policyFileSchemaText(): string {
  const schema = {
    title: 'Tollfree policy file',
    ...z.toJSONSchema(PolicyFileSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
