import type { AppRoute } from '@ts-rest/core';
import { generateOpenApiAsync } from '@ts-rest/open-api';
import { z } from 'zod';
import { scopeErrors } from './access/scope-errors.ts';
import type { ErrorAnswer } from './envelope.ts';
import { rpcPaths, rpcPathsByMethod, rpcSchemas, rpcTag } from './openapi/openapi-rpc.ts';
import { type OpenApiNode, openApiSchema } from './openapi/openapi-schema.ts';
import { metadataOf, type RouteMetadata, scopesOf } from './route-metadata.ts';
import { managementRouter } from './router.ts';

/** Operation object as the generator passes it; only the properties refined here. */
type Operation = Parameters<NonNullable<Parameters<typeof generateOpenApiAsync>[2]['operationMapper']>>[0];

const headerNames: Readonly<Record<string, string>> = { authtoken: 'authToken', apikey: 'apiKey' };

const commonDescriptions: Readonly<Record<string, string>> = {
  200: 'Done.',
  400: 'A field is missing or wrong. The message names it.',
  403: 'The session’s request did not come from the dashboard, or the account lacks the permission.',
  404: 'Not found.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests, or too many failed logins from this address. Wait for the time in Retry-After.',
  500: 'An internal error. The message contains an id for the operator.',
  503: 'The service cannot do this now.',
};

/** The errors of a route about credentials, by HTTP status. */
function credentialTexts(metadata: RouteMetadata): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const add = ({ status, statusCode, message }: ErrorAnswer, when: string) => {
    const body = statusCode === status ? '' : ` (the body’s statusCode is ${statusCode})`;
    texts.set(String(status), [...(texts.get(String(status)) ?? []), `\`${message}\`${body}: ${when}.`]);
  };
  if (metadata.account === 'not needed') return texts;
  add(metadata.missingCredentials, 'a required header is missing');
  add(metadata.wrongAuthToken, 'the authToken is not accepted');
  for (const scope of scopesOf(metadata)) add(scopeErrors[scope], `the credential lacks the scope \`${scope}\``);
  if (metadata.apiKey === 'required') {
    add(metadata.wrongApiKey, 'the apiKey is not accepted');
  }
  return texts;
}

/**
 * All errors with a text of their own on a route, by HTTP status: those of {@link credentialTexts}, then its other
 * errors.
 */
function textsByStatus(metadata: RouteMetadata): Map<string, string[]> {
  const texts = credentialTexts(metadata);
  for (const { status, message } of metadata.errors) {
    const known = texts.get(String(status)) ?? [];
    if (!known.some((text) => text.includes(message))) {
      texts.set(String(status), [...known, `\`${message}\``]);
    }
  }
  return texts;
}

function describeResponses(operation: Operation, metadata: RouteMetadata): OpenApiNode {
  const texts = textsByStatus(metadata);
  return Object.fromEntries(
    Object.entries(operation.responses as OpenApiNode).map(([status, response]) => {
      const lines = [commonDescriptions[status], ...(texts.get(status) ?? [])];
      return [status, { ...(response as OpenApiNode), description: lines.filter(Boolean).join('\n\n') }];
    }),
  );
}

/** What authorises a call: the authToken or, in a browser, the session; plus the apiKey for calls on one paymaster. */
function securityOf({ account, apiKey }: RouteMetadata): Record<string, never[]>[] {
  if (account === 'not needed') return [];
  const paymaster = apiKey === 'required' ? { apiKey: [] } : {};
  return [
    { authToken: [], ...paymaster },
    { session: [], ...paymaster },
  ];
}

function refineOperation(operation: Operation, route: AppRoute): Operation {
  const metadata = metadataOf(route);
  const parameters = (operation.parameters ?? []).map((parameter) =>
    'in' in parameter && parameter.in === 'header'
      ? // The document is for clients outside a browser, which have no session.
        { ...parameter, name: headerNames[parameter.name] ?? parameter.name, required: true }
      : parameter,
  );
  const getBody = metadata.getBody && {
    requestBody: {
      description: 'Optional. Clients that can send a body with GET supply it.',
      required: false,
      content: { 'application/json': { schema: openApiSchema(metadata.getBody, 'request') } },
    },
  };
  const body = operation.requestBody && { requestBody: { ...operation.requestBody, required: true } };
  return {
    ...operation,
    ...body,
    ...getBody,
    parameters,
    security: securityOf(metadata),
    responses: describeResponses(operation, metadata),
  } as Operation;
}

/** The OpenAPI 3.0 document of everything under `contract/`. Same input, same document. */
export async function buildOpenApiDocument(): Promise<OpenApiNode> {
  const document = await generateOpenApiAsync(
    managementRouter,
    {
      info: {
        title: 'Tollfree',
        version: '2',
        description: 'Gas sponsorship for ERC-4337 accounts: management interface and JSON-RPC endpoint.',
      },
      components: {
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
    },
    {
      setOperationId: 'concatenated-path',
      operationMapper: refineOperation,
      schemaTransformer: async ({ schema, type }) =>
        schema instanceof z.ZodType ? openApiSchema(schema, type === 'response' ? 'response' : 'request') : null,
    },
  );
  return {
    ...document,
    paths: { ...document.paths, ...rpcPaths() },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...rpcSchemas() } },
  };
}

function textOf(document: OpenApiNode): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Text of `contract/openapi.json`. */
export async function openApiText(): Promise<string> {
  return textOf(await buildOpenApiDocument());
}

/**
 * Text of `contract/reference.json`: the same document for the page at `/docs/api`, with each RPC method as an entry of
 * its own.
 */
export async function referenceText(): Promise<string> {
  const { paths, ...document } = await buildOpenApiDocument();
  const endpoint = Object.keys(rpcPaths());
  const managed = Object.entries(paths as OpenApiNode).filter(([path]) => !endpoint.includes(path));
  return textOf({ ...document, tags: [rpcTag()], paths: { ...rpcPathsByMethod(), ...Object.fromEntries(managed) } });
}
