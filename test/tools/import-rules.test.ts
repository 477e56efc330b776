import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cruise } from '../../tools/cruise.ts';

/** Files of a small repository, each with the one file it imports and the rules it breaks. A circle is reported once. */
const imports: readonly { from: string; to: string; types?: true; broken: readonly string[] }[] = [
  { from: 'contract/a.ts', to: 'core/domain/core.ts', types: true, broken: ['contract'] },
  { from: 'core/domain/a.ts', to: 'core/store/store.ts', broken: ['core-domain'] },
  { from: 'core/domain/b.ts', to: 'contract/limits.ts', broken: [] },
  { from: 'core/domain/c.ts', to: 'contract/operations.ts', broken: [] },
  { from: 'core/evm/a.ts', to: 'core/node/node.ts', types: true, broken: ['core-evm'] },
  { from: 'core/runtime/a.ts', to: 'core/sponsorship/pipeline.ts', broken: [] },
  { from: 'core/sponsorship/a.ts', to: 'core/runtime/runtime.ts', broken: ['core-sponsorship'] },
  { from: 'core/decisions/a.ts', to: 'core/grpc/client.ts', broken: ['core-decisions'] },
  { from: 'core/grpc/a.ts', to: 'core/store/store.ts', broken: ['core-grpc'] },
  { from: 'core/grpc/b.ts', to: 'proto/gen/service.ts', broken: [] },
  { from: 'core/local.ts', to: 'core/runtime/b.ts', broken: [] },
  { from: 'core/elsewhere/a.ts', to: 'core/domain/core.ts', broken: ['core-folders'] },
  { from: 'gateway/a.ts', to: 'core/domain/core.ts', types: true, broken: [] },
  { from: 'gateway/b.ts', to: 'core/domain/core.ts', broken: ['gateway-types-only'] },
  { from: 'gateway/c.ts', to: 'core/store/store.ts', types: true, broken: ['gateway'] },
  { from: 'clients/sdk/a.ts', to: 'contract/router.ts', broken: [] },
  { from: 'clients/sdk/b.ts', to: 'core/domain/core.ts', types: true, broken: ['clients-sdk'] },
  { from: 'clients/dashboard/a.ts', to: 'clients/sdk/sdk.ts', broken: [] },
  { from: 'clients/dashboard/b.ts', to: 'core/domain/core.ts', types: true, broken: ['clients-dashboard'] },
  { from: 'clients/dashboard/c.ts', to: 'gateway/gateway.ts', broken: ['clients-dashboard'] },
  { from: 'clients/cli/a.ts', to: 'clients/sdk/sdk.ts', broken: [] },
  { from: 'clients/cli/b.ts', to: 'core/store/store.ts', types: true, broken: ['clients-cli'] },
  { from: 'server/a.ts', to: 'core/store/store.ts', broken: [] },
  { from: 'server/b.ts', to: 'clients/cli/a.ts', broken: [] },
  { from: 'server/c.ts', to: 'tools/check.ts', broken: ['product-without-tools'] },
  { from: 'server/commands/dev.ts', to: 'server/dev/sign-in/a.ts', broken: [] },
  {
    from: 'server/commands/node.ts',
    to: 'server/dev/sign-in/a.ts',
    broken: ['server-one-time-sign-in'],
  },
  { from: 'test/ledger/a.ts', to: 'test/support/service.ts', broken: [] },
  { from: 'test/ledger/b.ts', to: 'test/chain/chain.ts', broken: ['test-folders'] },
  { from: 'core/ledger/holds/a.ts', to: 'core/ledger/tanks/a.ts', types: true, broken: ['no-circle-among-folders'] },
  { from: 'core/ledger/tanks/b.ts', to: 'core/ledger/holds/b.ts', broken: ['no-circle-among-folders'] },
  { from: 'core/gas/a.ts', to: 'core/gas/b.ts', types: true, broken: ['no-circle-among-files'] },
  { from: 'core/gas/b.ts', to: 'core/gas/a.ts', broken: [] },
  { from: 'core/quotes/a.ts', to: 'core/quotes/missing.ts', broken: ['resolvable'] },
];

const root = mkdtempSync(join(tmpdir(), 'tollfree-imports-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

type Report = { summary: { violations: { from: string; to: string; rule: { name: string } }[] } };

function findBrokenRules(): ReadonlyMap<string, readonly string[]> {
  for (const { to } of imports) if (!to.includes('missing')) write(to, 'export const value = 1;\n');
  for (const { from, to, types } of imports) {
    write(from, `import ${types ? 'type ' : ''}{ value } from '${'../'.repeat(from.split('/').length - 1)}${to}';\n`);
  }
  const { stdout } = spawnSync(process.execPath, cruise('--output-type', 'json'), { cwd: root, encoding: 'utf8' });
  const report: Report = JSON.parse(stdout);
  const broken = new Map<string, string[]>();
  for (const { from, rule } of report.summary.violations) broken.set(from, [...(broken.get(from) ?? []), rule.name]);
  return broken;
}

test('imports against the arrows are found, types included, and so are circles', () => {
  const broken = findBrokenRules();
  const ofFolders = 'no-circle-among-folders';
  const expected = imports.map(({ from, broken }) => [from, broken.filter((rule) => rule !== ofFolders)]);
  expect(imports.map(({ from }) => [from, broken.get(from) ?? []])).toEqual(expected);
  for (const { from, broken: rules } of imports) {
    if (rules.includes(ofFolders)) expect(broken.get(dirname(from))).toContain(ofFolders);
  }
});
