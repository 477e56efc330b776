import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readFences, whyNotRun } from '../../tools/prose/read-fences.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { expectPrinted } from '../support/documents/expect-printed.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The page Start, from its contract on: what it says to write and to run, and what it says comes out. */
export function startPageSuite(running: () => { readonly folder: string; readonly data: string }) {
  test('the programs and commands of the page Start do what the page says', async () => {
    const page = readFileSync(join(root, 'docs/start.md'), 'utf8');
    // The packages that the page installs are those of the tests.
    const cache = join(root, 'test/node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const app = mkdtempSync(join(cache, 'tollfree-start-'));
    onTestFinished(() => rmSync(app, { recursive: true, force: true }));
    const fileOf = { solidity: 'Guestbook.sol', deploy: 'deploy.mjs', send: 'send.mjs' };
    /** What the page's examples of addresses and ids are in this run. */
    const here = new Map<string, string>();
    let said = '';
    let ran = 0;
    for (const fence of readFences(page)) {
      const { language, code } = fence;
      if (language === 'solidity') writeFileSync(join(app, fileOf.solidity), code);
      if (language === 'js')
        writeFileSync(join(app, code.includes('deployContract') ? fileOf.deploy : fileOf.send), code);
      if (language === '' && ran > 0) {
        expectPrinted('docs/start.md', fence, said);
        const [example] = /^0x[0-9a-f]{40}$/m.exec(code) ?? [];
        if (example !== undefined) here.set(example, said.trim());
      }
      if (language !== 'sh' || whyNotRun(fence) !== undefined) continue;
      const line = [...here].reduce((text, [example, value]) => text.replaceAll(example, value), code);
      const words = line.replaceAll('\\\n', ' ').trim().split(/\s+/);
      if (words[0] === 'node') {
        const program = [`--env-file=${join(running().data, 'dev.env')}`, ...words.slice(2)];
        said = (await run(process.execPath, program, { cwd: app })).stdout;
      } else {
        expect(words.slice(0, 4)).toEqual(['npm', 'run', 'tollfree', '--']);
        const args = words.slice(4).map((word) => word.replace('../my-app', app));
        const { code: exit, stdout, stderr } = await runTollfree(args, { cwd: running().folder });
        expect({ line, exit, stderr }).toMatchObject({ exit: 0 });
        said = stdout;
        const [, example] = /tollfree -- why (\S+)/.exec(page) ?? [];
        const [id] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout) ?? [];
        if (words[4] === 'decisions' && example !== undefined && id !== undefined) here.set(example, id);
      }
      ran += 1;
    }
    expect(ran).toBe(7);
  }, 240_000);
}
