import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

type Bundle = { readonly outputFiles: readonly { readonly text: string }[] };

/** esbuild comes with tsx. */
const requireOfTsx = createRequire(createRequire(import.meta.url).resolve('tsx'));
const esbuild: { buildSync(options: object): Bundle } = requireOfTsx('esbuild');
const root = resolve(import.meta.dirname, '../../..');

/** Serves a page that runs a script of these lines, bundled for browsers as an application would do it. */
export async function servePage(script: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents: script, resolveDir: root, loader: 'ts' },
    conditions: ['@tollfree/source', 'module'],
    define: { 'process.env.NODE_ENV': '"production"' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
  });
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? outputFiles[0]?.text : '<main></main><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
