import { resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { managementRouter } from '../../contract/router.ts';
import { listLicenses } from './list-licenses.ts';

/** The module that the dashboard imports; `clients/dashboard/api/virtual-routes.d.ts` has its type. */
const name = 'virtual:routes';

/**
 * Gives the dashboard the method and path of every management operation, `GET /api/…`, without the schemas: the service
 * validates requests, and the schemas would be a third of the script.
 */
function listRoutes(): Plugin {
  return {
    name: 'list-routes',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}` ? `export const routes = ${JSON.stringify(routesOf(managementRouter))};` : undefined,
  };
}

type Tree = { readonly [name: string]: string | Tree };

function routesOf(router: object): Tree {
  return Object.fromEntries(
    Object.entries(router).map(([key, each]: [string, { method?: unknown; path?: unknown }]) => {
      const { method, path } = each;
      return [key, typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : routesOf(each)];
    }),
  );
}

/** Writes two compressed copies of each text file, ready for the gateway. */
function compressTexts(): Plugin {
  return {
    name: 'compress-texts',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const text = file.type === 'chunk' ? file.code : file.source;
          if (!/\.(js|css|html)$/.test(file.fileName)) continue;
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(text, { level: 9 }) });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(text) });
        }
      },
    },
  };
}

/** The dashboard as served by the gateway: hashed names below `assets`, and `index.html`. */
/** What fields need of the libraries, without what only dialogs need: which pages share that changes with each page. */
const ofFields =
  /^(?!.*(overlay|modal|dialog|menu|collection|i18n|localized|useInteractOutside|useViewportSize|runAfterKeyboard|animation|sentinel|heading)).*(react-aria|react-stately|parts\/text-input)/i;

export default defineConfig({
  root: resolve(import.meta.dirname, '../../clients/dashboard'),
  base: '/dashboard/',
  resolve: { conditions: ['@tollfree/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    // An inlined file would be a `data:` URL, which the content security policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      // Packages mark browser-only code; all of this is browser code.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
      // A file for each combination of pages would be 90 files, and a browser asks a server without HTTP/2 for six at a time.
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 5 },
            { name: 'fields', test: ofFields, minShareCount: 12, priority: 4 },
            { name: 'dialogs', test: /react-aria|react-stately|-button\.tsx/, minShareCount: 8, priority: 3 },
            {
              name: 'parts',
              test: /dashboard\/(parts|api)\/|\/(react-query|query-core)\//,
              minShareCount: 3,
              priority: 2,
            },
            { name: 'abi', test: /dashboard\/abi\/|\/(viem|ox|@noble)\//, minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [listRoutes(), listLicenses(), compressTexts()],
});
