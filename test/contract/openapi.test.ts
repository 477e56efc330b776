import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import openapiTS from 'openapi-typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { documentedMethods } from '../../contract/openapi/documented-methods.ts';
import { buildOpenApiDocument, openApiText, referenceText } from '../../contract/openapi.ts';
import { credentialErrors, managementPrefix, type Operation } from '../../contract/operation.ts';
import { operationList } from '../../contract/operations.ts';
import { apiKey, authToken, chainId, webhook } from '../support/gateway/fake-core.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';

type Example = { readonly method: string; readonly params: unknown };
type Body = { readonly content: { readonly 'application/json': { readonly example?: Example } } };
type Reference = { readonly paths: Record<string, { readonly post?: { readonly requestBody?: Body } }> };

const committedFile = new URL('../../contract/openapi.json', import.meta.url);

/** What a user of the generated types writes; it must compile against them. */
const usage = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';
const client = createClient<paths>({ baseUrl: 'http://localhost' });
const header = { authToken: 'a', apiKey: 'b' };
const created = await client.POST('/api/v2/public/sdk/webhook', {
  params: { header },
  body: { webhookUrl: 'https://a.example', requestType: 'GET' },
});
export const webhookId: string | undefined = created.data?.data.webhookId;
export const problem: string | undefined = created.error?.message;
await client.DELETE('/api/v2/public/sdk/smart-contract', { params: { header }, body: { address: '0x' } });
await client.GET('/api/v2/public/sdk/webhook', { params: { header, query: { webhookId: 'a' } } });
const request: components['schemas']['RpcRequest'] = {
  jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{ nonce: '0x0' }, { mode: 'ERC20' }],
};
await client.POST('/api/v2/{chainId}/{apiKey}', { params: { path: { chainId: 1, apiKey: 'a' } }, body: request });
// @ts-expect-error requestType is GET or POST
await client.POST('/api/v2/public/sdk/webhook', { params: { header }, body: { webhookUrl: '', requestType: 'PUT' } });
// @ts-expect-error the headers are required
await client.GET('/api/v2/public/sdk/paymaster', {});
`;

function headersOf({ credentials }: Operation): readonly string[] {
  if (credentials === 'none') return [];
  return credentials === 'paymaster' ? ['apiKey', 'authToken'] : ['authToken'];
}

describe('the OpenAPI document', () => {
  test('is committed as the contract makes it', async () => {
    expect(readFileSync(committedFile, 'utf8')).toBe(openApiText());
  });

  test('has a request of each RPC method for people, which the method takes', async () => {
    const { paths } = JSON.parse(referenceText()) as Reference;
    const examples = Object.entries(paths).flatMap(([path, { post }]) => {
      const example = post?.requestBody?.content['application/json'].example;
      return path.includes('#') && example !== undefined ? [example] : [];
    });
    const forms = documentedMethods.filter(({ params }, index) => params.safeParse(examples[index]?.params).success);
    expect(forms.map(({ method }) => method)).toStrictEqual(examples.map(({ method }) => method));
    expect(examples.length).toBe(documentedMethods.length);
  });

  test('has every route, with its headers and the answer without credentials', async () => {
    const { paths } = buildOpenApiDocument() as unknown as { paths: Record<string, Record<string, unknown>> };
    for (const route of operationList) {
      const path = `${managementPrefix}${route.path}`.replace(/:(\w+)/g, '{$1}');
      const headers = headersOf(route);
      const operation = paths[path]?.[route.method.toLowerCase()] as {
        parameters: { name: string; in: string; required: boolean }[];
        responses: Record<string, { description: string }>;
        security: Record<string, unknown>[];
      };
      const sent = operation.parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
      expect(sent.map(({ name }) => name).sort()).toStrictEqual(headers);
      expect(Object.keys(operation.security[0] ?? {}).sort()).toStrictEqual(headers);
      if (route.credentials === 'none') continue;
      const { status, message } = credentialErrors(route).missingCredentials;
      expect(operation.responses[status]?.description).toContain(message);
    }
  });

  test('gives types that a client compiles with', async () => {
    const folder = new URL('./.generated/', import.meta.url);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL('schema.ts', folder), await openapiTS(committedFile));
    writeFileSync(new URL('usage.ts', folder), usage);
    const options = { extends: '../../../tsconfig.json', include: ['usage.ts', 'schema.ts'] };
    writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(options));
    const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url);
    const compile = () => execFileSync(process.execPath, [tsc.pathname, '-p', folder.pathname], { encoding: 'utf8' });
    expect(compile).not.toThrow();
  });

  test('describes the gateway as it is: a generic client gets through', async () => {
    const { url } = await startTestGateway();
    const client = createClient<AnyPaths>({ baseUrl: url });
    const created = await client.POST('/api/v2/public/sdk/webhook', {
      params: { header: { authToken, apiKey } },
      body: { webhookUrl: webhook.webhookUrl, requestType: 'POST' },
    });
    expect(created.data).toMatchObject({ statusCode: 200, data: { webhookId: webhook.webhookId } });
    const answered = await client.POST('/api/v2/{chainId}/{apiKey}', {
      params: { path: { chainId, apiKey } },
      body: { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] },
    });
    expect(answered.data).toMatchObject({ id: 1, result: { MODE: 'SPONSORED' } });
  });
});

type AnyOperation = {
  parameters: { header?: Record<string, string>; path?: Record<string, string | number> };
  requestBody: { content: { 'application/json': unknown } };
  responses: { 200: { content: { 'application/json': unknown } } };
};
type AnyPaths = {
  '/api/v2/public/sdk/webhook': { post: AnyOperation };
  '/api/v2/{chainId}/{apiKey}': { post: AnyOperation };
};
