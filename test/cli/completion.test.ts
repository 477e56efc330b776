import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runTollfree } from '../support/command-line/run-tollfree.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-completion-'));
  writeFileSync(join(folder, 'tollfree'), `#!/bin/sh\nexec '${process.execPath}' '${inject('program')}' "$@"\n`);
  chmodSync(join(folder, 'tollfree'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash offers for the last of the words, with the printed script loaded and nothing else. */
function offered(script: string, ...words: readonly string[]): string[] {
  const array = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; compopt() { :; }; __tollfree_complete`;
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const print = `printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['--norc', '-c', `${script}\n${ask}; ${print}`], { encoding: 'utf8', env });
  return text.split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  test('bash is offered commands, those under them, and their flags', async () => {
    const { code, stdout: script } = await runTollfree(['completion', 'bash']);
    expect(code).toBe(0);
    expect(offered(script, 'tollfree', 'led')).toEqual(['ledger']);
    expect(offered(script, 'tollfree', 'ledger', 're')).toEqual(['revert', 'read-archive', 'resume', 'release']);
    expect(offered(script, 'tollfree', 'ledger', 'release', '--r')).toEqual(['--reason']);
    expect(offered(script, 'tollfree', 'ledger', 'release', '--reason', '')).toEqual([]);
  });

  test.each(['zsh', 'fish'])('%s gets a script that asks the program', async (shell) => {
    const { code, stdout } = await runTollfree(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('tollfree complete -- ');
  });

  test('names of files are the shell’s to offer', async () => {
    const complete = async (...words: string[]) => (await runTollfree(['complete', '--', ...words])).stdout;
    expect(await complete('keystore', 'create', '--out', '')).toBe(':0\n');
    expect(await complete('keystore', 'create', '--o')).toMatch(/^--out\t.*\n:4\n$/);
  });

  test('another shell is refused', async () => {
    expect(await runTollfree(['completion', 'csh'])).toMatchObject({ code: 1, stdout: '' });
  });
});

test('what is loaded before a command runs is the command line alone', () => {
  const loaded = new Map<string, string>();
  const packages = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    const text = readFileSync(file, 'utf8');
    loaded.set(file, text);
    const imports = text.matchAll(/^(?:import|export)\b[^'"();]*?["'](?<name>[^"']+)["']/gm);
    for (const { groups } of imports) {
      const name = groups?.name ?? '';
      if (name.startsWith('.')) load(resolve(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  };
  const entry = inject('program');
  load(entry);
  // The entry says first which Node it needs, and then loads this.
  const main = /import\(["'](?<name>[^"']+)["']\)/.exec(readFileSync(entry, 'utf8'))?.groups?.name ?? '';
  load(resolve(dirname(entry), main));
  expect(packages).toEqual(new Set());
  const bytes = [...loaded.values()].reduce((sum, text) => sum + text.length, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
});
