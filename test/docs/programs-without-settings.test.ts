import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../tools/prose/find-markdown-files.ts';
import { readFences } from '../../tools/prose/read-fences.ts';

afterEach(() => vi.unstubAllEnvs());

function variablesOf(code: string): readonly string[] {
  return [...new Set(code.match(/\b[A-Z]+(?:_[A-Z]+)*_(?:URL|KEY|ID|TOKEN|SECRET|COOKIE)\b|\bCONTRACT\b|\bTOKEN\b/g))];
}

/** Runs a program without any of the variables that it names. */
function start(file: string): Promise<object> {
  for (const name of variablesOf(readFileSync(file, 'utf8'))) vi.stubEnv(name, undefined);
  return import(`${file}?without=settings`);
}

const programs = ['docs/examples', 'clients/sdk/examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith('.ts') && readFileSync(join(root, name), 'utf8').includes('process.env')),
);
const isHandler = (name: string) => readFileSync(join(root, name), 'utf8').includes('function POST');

test('every program to copy that reads its settings from the environment is here', () => {
  expect(programs.length).toBeGreaterThan(10);
  expect(programs.filter(isHandler)).toHaveLength(2);
});

test.each(programs.filter((name) => !isHandler(name)))('%s says which variable to set', async (name) => {
  const message = /^Set [A-Z_]+, (?:or start with --env-file=\.tollfree\/dev\.env|as docs\/|which tollfree )/;
  await expect(start(join(root, name))).rejects.toThrow(message);
});

test.each(programs.filter(isHandler))('%s says it at its first request: its build has no settings', async (name) => {
  const { POST } = (await start(join(root, name))) as { POST(request: Request): Promise<Response> };
  const asked = POST(new Request('http://handler.test/', { method: 'POST', body: '{}' }));
  await expect(asked).rejects.toThrow(/^Set [A-Z_]+ to /);
});

test('the programs of the page Start say how to start them', async () => {
  const cache = join(root, 'test/node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const app = mkdtempSync(join(cache, 'tollfree-start-'));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  const scripts = readFences(readFileSync(join(root, 'docs/start.md'), 'utf8')).filter(
    ({ language }) => language === 'js',
  );
  expect(scripts).toHaveLength(2);
  for (const [index, { code }] of scripts.entries()) {
    const file = join(app, `${index}.mjs`);
    writeFileSync(file, code);
    if (index > 0) writeFileSync(join(app, 'guestbook.json'), '{"address":"0x00","abi":[]}');
    await expect(start(file)).rejects.toThrow(/^Start with --env-file, as below: [A-Z_ or]+ is not set\.$/);
  }
});
