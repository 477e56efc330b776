import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { readFences, whyNotRun } from '../../tools/prose/read-fences.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { expectPrinted } from '../support/documents/expect-printed.ts';
import { runPages } from '../support/documents/run-pages.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const ownPages = Object.entries(runPages).flatMap(([page, by]) =>
  by === 'test/docs/page-commands.test.ts' ? [page] : [],
);

/** What a policy on a page sets: a reader puts these fields into `policy.json`. */
function isPolicy(fields: unknown): fields is Record<string, unknown> {
  return typeof fields === 'object' && fields !== null && ('limits' in fields || 'requireTicket' in fields);
}

function policyIn(language: string, code: string): Record<string, unknown> | undefined {
  // Parts of a configuration have no braces.
  if (language !== 'json' || !code.startsWith('{')) return undefined;
  const fields: unknown = JSON.parse(code);
  return isPolicy(fields) ? fields : undefined;
}

let folder: string;
let running: RunningTollfree;
let dev: DevFile;
const bin = () => join(folder, 'bin');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-pages-'));
  const anyPorts = ['--port', '--grpc-port', '--chain-port', '--admin-port', '--bundler-port'];
  const flags = anyPorts.flatMap((flag) => [flag, '0']);
  running = startTollfree(['dev', ...flags, '--data', join(folder, '.tollfree'), '--json']);
  dev = JSON.parse(await running.line('stdout', /^\{"gatewayUrl"/));
  mkdirSync(bin());
  const program = `exec '${process.execPath}' '${inject('program')}' "$@"`;
  writeFileSync(join(bin(), 'tollfree'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  // `npm run tollfree -- …` of a clone.
  const npm = `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\n${program}\n`;
  writeFileSync(join(bin(), 'npm'), npm, { mode: 0o755 });
  writeFileSync(join(folder, 'shop.abi.json'), JSON.stringify(devTargetAbi));
}, 120_000);
afterAll(async () => {
  await running?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test.each(['README.md', 'docs/start.md'])('%s shows what npm run dev prints', (page) => {
  const fences = readFences(readFileSync(join(root, page), 'utf8'));
  const shown = fences[fences.findIndex(({ code }) => code.includes('npm run dev')) + 1];
  if (shown === undefined) throw new Error(`${page} shows no output of npm run dev.`);
  expectPrinted(page, shown, running.stdout.join('\n'));
});

test.each(ownPages)(
  'the commands of %s run, and print what the page shows below them',
  async (page) => {
    const variables = parseEnv(readFileSync(join(folder, '.tollfree/dev.env'), 'utf8'));
    const env = { ...variables, PATH: `${bin()}:${process.env.PATH}` };
    /** What a reader puts in for the page's examples. */
    const here = new Map([
      ['0xYourContract', dev.chain.target],
      ['--whitelist buy', '--whitelist increment'],
      // Names that only have to lead somewhere.
      ['https://app.example.com', 'http://127.0.0.1:9'],
      ['https://id.example.com/jwks', 'http://127.0.0.1:9/jwks'],
    ]);
    if (page.includes('skills')) {
      here.set('--chain-id 8453', '--chain-id 31337');
      here.set('"My app"', '"Skill app"');
    }
    let ran = 0;
    /** What the last block of commands printed. */
    let printed: string | undefined;
    for (const fence of readFences(readFileSync(join(root, page), 'utf8'))) {
      const { language, code, line } = fence;
      const policy = policyIn(language, code);
      if (policy !== undefined) changePolicyFile(join(folder, 'policy.json'), policy);
      if (language === '' && printed !== undefined) expectPrinted(page, fence, printed);
      printed = undefined;
      if (language !== 'sh' || whyNotRun(fence) !== undefined) continue;
      printed = '';
      const command = [...here].reduce((text, [example, value]) => text.replaceAll(example, value), code);
      for (const each of commandsOf(command)) {
        const filled = each.replaceAll('<webhookId>', here.get('webhook') ?? '<webhookId>');
        const { failed, stdout } = await run('sh', ['-e', '-c', filled], { cwd: folder, env }).then(
          (said) => ({ failed: undefined, stdout: said.stdout }),
          (error: unknown) => ({ failed: String(error), stdout: '' }),
        );
        expect({ page, line, failed }).toEqual({ page, line, failed: undefined });
        const [id] = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(stdout) ?? [];
        if (filled.includes('webhook create') && id !== undefined) here.set('webhook', id);
        printed += stdout;
        ran += 1;
      }
    }
    expect(ran).toBeGreaterThan(0);
  },
  120_000,
);

/** The commands of a block, each with the lines that continue it. */
function commandsOf(code: string): readonly string[] {
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function changePolicyFile(file: string, fields: Record<string, unknown>): void {
  const before = ((): Record<string, unknown> => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return {};
    }
  })();
  writeFileSync(file, JSON.stringify({ ...before, ...fields }));
}
