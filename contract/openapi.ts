import type { z } from 'zod';
import { scopeErrors } from './access/scope.ts';
import type { ErrorAnswer } from './envelope.ts';
import {
  type OpenApiNode,
  openApiSchema,
  rpcPaths,
  rpcPathsByMethod,
  rpcSchemas,
  rpcTag,
} from './openapi/openapi-rpc.ts';
import { credentialErrors, managementPrefix, type Operation } from './operation.ts';
import { managementOperations } from './operations.ts';

const headerNames: Readonly<Record<string, string>> = {
  authtoken: 'authToken',
  apikey: 'apiKey',
  'if-match': 'If-Match',
};

const commonDescriptions: Readonly<Record<string, string>> = {
  200: 'Done.',
  400: 'A field is missing or wrong. The message names it.',
  403: 'The session’s request did not come from the dashboard, or the account lacks the permission.',
  404: 'Not found.',
  412: 'The object has been changed since it was read. The message names what was changed, and the author.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests, or too many failed logins from this address. Wait for the time in Retry-After.',
  500: 'An internal error. The message contains an id for the operator.',
  503: 'The service cannot do this now.',
};

/** The credential errors of an operation, by HTTP status. */
function credentialTexts(operation: Operation): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const add = ({ status, statusCode, message }: ErrorAnswer, when: string) => {
    const body = statusCode === status ? '' : ` (the body’s statusCode is ${statusCode})`;
    texts.set(String(status), [...(texts.get(String(status)) ?? []), `\`${message}\`${body}: ${when}.`]);
  };
  if (operation.credentials === 'none') return texts;
  const { missingCredentials, wrongAuthToken, wrongApiKey } = credentialErrors(operation);
  add(missingCredentials, 'a required header is missing');
  add(wrongAuthToken, 'the authToken is not accepted');
  for (const scope of operation.scopes) add(scopeErrors[scope], `the credential lacks the scope \`${scope}\``);
  if (operation.credentials === 'paymaster') add(wrongApiKey, 'the apiKey is not accepted');
  return texts;
}

/** All errors of an operation with their own text, by HTTP status. */
function textsByStatus(operation: Operation): Map<string, string[]> {
  const texts = credentialTexts(operation);
  for (const { status, message } of operation.errors ?? []) {
    const known = texts.get(String(status)) ?? [];
    if (!known.some((text) => text.includes(message))) texts.set(String(status), [...known, `\`${message}\``]);
  }
  return texts;
}

/** Schemas with a title become components and are referenced. */
type Named = Record<string, OpenApiNode>;

function responses(operation: Operation, named: Named): OpenApiNode {
  const texts = textsByStatus(operation);
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, schema]) => {
      const lines = [commonDescriptions[status], ...(texts.get(status) ?? [])];
      const node = openApiSchema(schema, 'response');
      const { title } = node;
      if (typeof title === 'string') named[title] = node;
      const content = typeof title === 'string' ? { $ref: `#/components/schemas/${title}` } : node;
      const description = lines.filter(Boolean).join('\n\n');
      return [status, { description, content: { 'application/json': { schema: content } } }];
    }),
  );
}

/** The security of an operation: the authToken or, in a browser, the session; plus the apiKey for calls on one paymaster. */
function securityOf({ credentials }: Operation): Record<string, never[]>[] {
  if (credentials === 'none') return [];
  const paymaster = credentials === 'paymaster' ? { apiKey: [] } : {};
  return [
    { authToken: [], ...paymaster },
    { session: [], ...paymaster },
  ];
}

function parametersIn(where: 'path' | 'query' | 'header', schema: z.ZodType | undefined): OpenApiNode[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = openApiSchema(schema, 'request') as {
    properties?: Record<string, OpenApiNode>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...node }]) => ({
    // The document is for clients outside a browser, which have no session.
    name: where === 'header' ? (headerNames[name] ?? name) : name,
    in: where,
    ...(description === undefined ? {} : { description }),
    ...((where === 'header' && name !== 'if-match') || required.includes(name) ? { required: true } : {}),
    schema: node,
  }));
}

function requestBody(schema: z.ZodType, required: boolean, description: string): OpenApiNode {
  const content = { 'application/json': { schema: openApiSchema(schema, 'request') } };
  return { requestBody: { description, required, content } };
}

function operationNode(id: string, operation: Operation, named: Named): OpenApiNode {
  const { summary, pathParams, headers, query, body, getBody } = operation;
  const optional = 'Optional. Clients that can send a body with GET supply it.';
  return {
    summary,
    tags: id.split('.').slice(0, 1),
    parameters: [
      ...parametersIn('path', pathParams),
      ...parametersIn('header', headers),
      ...parametersIn('query', query),
    ],
    operationId: id,
    ...(body === undefined ? {} : requestBody(body, true, 'Body')),
    ...(getBody === undefined ? {} : requestBody(getBody, false, optional)),
    responses: responses(operation, named),
    security: securityOf(operation),
  };
}

/** The OpenAPI 3.0 document of everything under `contract/`. Deterministic. */
export function buildOpenApiDocument(): OpenApiNode & { readonly paths: OpenApiNode } {
  const paths: Record<string, OpenApiNode> = {};
  const named: Named = {};
  for (const [resource, operations] of Object.entries(managementOperations)) {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const path = `${managementPrefix}${operation.path}`.replace(/:(\w+)/g, '{$1}');
      const node = operationNode(`${resource}.${name}`, operation, named);
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: node };
    }
  }
  return {
    openapi: '3.0.2',
    paths: { ...paths, ...rpcPaths() },
    info: {
      title: 'Tollfree',
      version: '2',
      description: 'Gas sponsorship for ERC-4337 accounts: management interface and JSON-RPC endpoint.',
    },
    components: {
      schemas: { ...named, ...rpcSchemas() },
      securitySchemes: {
        authToken: { type: 'apiKey', in: 'header', name: 'authToken' },
        apiKey: { type: 'apiKey', in: 'header', name: 'apiKey' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-tollfree-session',
          description: 'Set by POST /session. Accepted only from the dashboard’s own origin.',
        },
      },
    },
  };
}

function textOf(document: OpenApiNode): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Text of `contract/openapi.json`. */
export function openApiText(): string {
  return textOf(buildOpenApiDocument());
}

/**
 * Text of `contract/reference.json`: the same document for the page at `/docs/api`, with each RPC method as an entry of
 * its own.
 */
export function referenceText(): string {
  const { paths, ...document } = buildOpenApiDocument();
  const endpoint = Object.keys(rpcPaths());
  const managed = Object.entries(paths).filter(([path]) => !endpoint.includes(path));
  return textOf({ ...document, tags: [rpcTag()], paths: { ...rpcPathsByMethod(), ...Object.fromEntries(managed) } });
}
