import { resolve } from 'node:path';
import { defineConfig } from 'tsdown';
import { addDocs } from './add-docs.ts';
import { listLicenses } from './list-licenses.ts';

/**
 * Loading these one file at a time is most of what a start takes. Packages with native code, workers or files of their
 * own, and those that rolldown cannot join (prom-client, by way of @opentelemetry/api; grpc-js), stay packages.
 */
const bundled = [
  ...['viem', 'ox', 'abitype', 'zod', 'kysely', 'commander', '@bufbuild/protobuf', 'express', 'helmet', 'undici'],
  ...['json-rpc-2.0', 'lru-cache', 'p-limit', 'ipaddr.js', 'close-with-grace'],
  // `tollfree mcp` alone loads it, and it brings a web server and more that nothing here uses.
  '@modelcontextprotocol/sdk',
];

/**
 * The service as it is installed: `dist/clients/cli/tollfree.js`, a file for each of its commands, and beside those the
 * entry of the thread that reads the database.
 */
export default defineConfig({
  cwd: resolve(import.meta.dirname, '../../..'),
  entry: {
    'clients/cli/tollfree': 'clients/cli/tollfree.ts',
    'chunks/all/read-worker': 'core/store/sqlite/reading/read-worker.ts',
  },
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  dts: false,
  sourcemap: true,
  inputOptions: { resolve: { conditionNames: ['@tollfree/source', 'node', 'default'] } },
  // As deep as the sources of the command line: paths in the log begin at the root of the program.
  outputOptions: { chunkFileNames: 'chunks/all/[name]-[hash].js', sourcemapExcludeSources: true },
  deps: {
    alwaysBundle: [...bundled.map((name) => new RegExp(`^${name}(/|$)`)), /^@(ts-rest|noble|scure|tollfree)\//],
  },
  plugins: [listLicenses(), addDocs()],
});
