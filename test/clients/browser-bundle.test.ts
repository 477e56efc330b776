import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as managementModule from '../../clients/sdk/create-management-client.ts';
import type * as sponsorModule from '../../clients/sdk/create-sponsor-client.ts';
import { readText, startHttpDouble } from './http-double.ts';

/** esbuild comes with tsx. */
const requireOfTsx = createRequire(createRequire(import.meta.url).resolve('tsx'));
const esbuild: { buildSync(options: object): { outputFiles: { text: string }[]; warnings: unknown[] } } =
  requireOfTsx('esbuild');

/** What a page has and plain JavaScript has not. There is no `process` and no `require` among it. */
const { fetch, URL, AbortSignal, TextDecoder, Headers, Response, ReadableStream } = globalThis;
const pageGlobals = { fetch, URL, AbortSignal, TextDecoder, Headers, Response, ReadableStream };

const source = "export { createManagementClient, createSponsorClient } from '@tollfree/sdk';";

let code: string;
let warnings: readonly unknown[];
beforeAll(() => {
  const bundle = esbuild.buildSync({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    conditions: ['@tollfree/source', 'module'],
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'tollfree',
  });
  code = bundle.outputFiles[0]?.text ?? '';
  warnings = bundle.warnings;
});

function loadPage(): typeof managementModule & typeof sponsorModule {
  const page = createContext({ ...pageGlobals });
  page.globalThis = page;
  return runInContext(`${code};tollfree`, page);
}

describe('the SDK, bundled for a browser', () => {
  test('needs nothing of Node', () => {
    expect(warnings).toEqual([]);
    expect(code).toContain('createSponsorClient');
  });

  test('works in a page, where the GET goes out without a body', async () => {
    const bodies: string[] = [];
    const baseUrl = await startHttpDouble(async (request, response) => {
      bodies.push(await readText(request));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"statusCode":200,"message":"Webhook list fetched","data":[]}');
    });
    const client = loadPage().createManagementClient({ baseUrl, authToken: 'tf_x', apiKey: 'x' });
    expect(await client.listWebhooks({ webhookId: 'x' })).toHaveLength(0);
    expect(bodies).toEqual(['']);
  });

  test('refuses in a page as it does elsewhere', async () => {
    const url = await startHttpDouble((_request, response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      const data = { reason: 'NO_POLICIES' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32013, message: 'No policies', data } }));
    });
    const call = loadPage()
      .createSponsorClient({ url })
      .getFeeQuoteOrData(
        { sender: '0x', nonce: 0n, callData: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
        { mode: 'ERC20', tokenInfo: {} },
      );
    await expect(call).rejects.toMatchObject({ name: 'SponsorshipRefusedError', reason: 'NO_POLICIES' });
  });
});
