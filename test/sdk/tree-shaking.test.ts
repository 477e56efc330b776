import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions } from 'vite';
import { describe, expect, test } from 'vitest';
import { documentedMethods } from '../../contract/openapi/documented-methods.ts';
import { bundlerMethodNames } from '../../contract/rpc/bundler-methods.ts';

type Bundle = {
  readonly outputFiles: readonly { readonly text: string }[];
  readonly metafile: {
    readonly outputs: Readonly<
      Record<string, { readonly inputs: Readonly<Record<string, { bytesInOutput: number }>> }>
    >;
  };
};

/** esbuild comes with tsx. */
const requireOfTsx = createRequire(createRequire(import.meta.url).resolve('tsx'));
const esbuild: { buildSync(options: object): Bundle } = requireOfTsx('esbuild');

const root = resolve(import.meta.dirname, '../..');

/** What a page may take of its users' patience for the three functions, in bytes. */
const maxCompressedBytes = 15_000;

/** The RPC actions: function, its file, and the method on the wire. */
const actions = [
  ['getFeeQuoteOrData', 'get-fee-quote-or-data', 'pm_getFeeQuoteOrData'],
  ['sponsorUserOperation', 'sponsor-user-operation', 'pm_sponsorUserOperation'],
  ['getPaymasterStubData', 'get-paymaster-stub-data', 'pm_getPaymasterStubData'],
  ['getPaymasterData', 'get-paymaster-data', 'pm_getPaymasterData'],
  ['getAllowance', 'get-allowance', 'tollfree_getAllowance'],
  ['validateSponsorshipPolicies', 'validate-sponsorship-policies', 'pm_validateSponsorshipPolicies'],
  ['getTokenQuotes', 'get-token-quotes', 'pimlico_getTokenQuotes'],
  ['getSupportedTokens', 'get-supported-tokens', 'pimlico_getSupportedTokens'],
  ['getSupportedEntryPoints', 'get-supported-entry-points', 'pm_supportedEntryPoints'],
] as const;

/** Bundles one action as a page that imports nothing else would, and says what came along. */
function bundleAction(name: string): { readonly code: string; readonly inputs: readonly string[] } {
  const { outputFiles, metafile } = esbuild.buildSync({
    stdin: { contents: `export { ${name} } from '@tollfree/sdk';`, resolveDir: root, loader: 'ts' },
    conditions: ['@tollfree/source', 'module'],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
  );
  return { code: outputFiles[0]?.text ?? '', inputs };
}

describe.each(actions)('a bundle of %s', (name, file, method) => {
  const { code, inputs } = bundleAction(name);

  test('makes its own call and no other', () => {
    const called = actions.map(([, , each]) => each).filter((each) => code.includes(`"${each}"`));
    expect(called).toEqual([method]);
  });

  test('holds nothing of the other actions, of the clients and of the management interface', () => {
    const own = `clients/sdk/sponsor/${file}.ts`;
    const others = actions.map(([, each]) => `clients/sdk/sponsor/${each}.ts`).filter((each) => each !== own);
    expect(inputs).toContain(own);
    expect(inputs.filter((input) => others.includes(input))).toEqual([]);
    // The few lines that the schemas of the RPC methods share with the rest are no part of the management interface.
    const foreign =
      /^clients\/sdk\/(create-|management\/|tokens\/)|^contract\/(?!rpc\/|(limits|fields\/after-type|omit-absent)\.ts$)|node_modules\/(viem|ox|zod|@ts-rest)\//;
    expect(inputs.filter((input) => foreign.test(input))).toEqual([]);
  });
});

describe('three functions of a page that sponsors', () => {
  const contents = `export { createPaymaster, createSponsorClient, SponsorshipRefusedError } from '@tollfree/sdk';`;

  test('come to less than 15 kB with esbuild, compressed', () => {
    const { outputFiles } = esbuild.buildSync({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      conditions: ['@tollfree/source', 'module'],
      absWorkingDir: root,
      platform: 'browser',
      format: 'esm',
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
    });
    const { length } = gzipSync(outputFiles[0]?.text ?? '');
    expect(length).toBeGreaterThan(1_000);
    expect(length).toBeLessThan(maxCompressedBytes);
  });

  test('come to less than 15 kB with Vite, compressed', async () => {
    const folder = mkdtempSync(join(root, 'node_modules/.cache/tollfree-page-'));
    try {
      writeFileSync(join(folder, 'page.ts'), contents);
      const built = await build({
        root: folder,
        configFile: false,
        logLevel: 'error',
        mode: 'production',
        resolve: { conditions: ['@tollfree/source', ...defaultClientConditions] },
        build: { lib: { entry: join(folder, 'page.ts'), formats: ['es'] }, minify: true, write: false },
      });
      const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
      const code = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : [])).join('');
      expect(code).toContain('pm_getPaymasterData');
      expect(gzipSync(code).length).toBeLessThan(maxCompressedBytes);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('every method of the contract has its action', () => {
  const ofOtherLibraries = ['pm_chainId', 'pm_supportedERC20Tokens'];
  // Asked for by the request of any client: an account signs between the two.
  const ofRelay = ['tollfree_prepareRelay', 'tollfree_relayUserOperation'];
  const others = [...ofOtherLibraries, ...ofRelay, ...bundlerMethodNames];
  const methods = documentedMethods
    .map(({ method }) => method)
    .filter((method) => /^(pm|pimlico|tollfree)_/.test(method) && !others.includes(method));
  expect(new Set(methods)).toEqual(new Set(actions.map(([, , method]) => method)));
});
