import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../../clients/cli/terminal/cli-error.ts';
import { createProgram } from '../../server/main.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';

type Leaf = { readonly words: readonly string[]; readonly command: Command };

function leavesOf(command: Command, words: readonly string[] = []): readonly Leaf[] {
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((inner) => leavesOf(inner, [...words, inner.name()]));
}

/** Has no flags of its own, and what it completes may be anything. */
const leaves = leavesOf(createProgram()).filter(({ words }) => !['complete', 'help'].includes(words.at(-1) ?? ''));
const has = ({ command }: Leaf, long: string) => command.options.some((option) => option.long === long);

let folder: string;
let nowhere: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-exit-'));
  nowhere = `http://127.0.0.1:${await findClosedPort()}`;
  writeFileSync(join(folder, 'auth-token'), `tf_${'ab'.repeat(32)}`, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the page has the exit codes that the program has, and no other ones', () => {
  const rows = [...readFileSync('docs/reference/cli.md', 'utf8').matchAll(/^\| (\d+) \| (.+) \|$/gm)];
  expect(rows.map(([, code, meaning]) => ({ code: Number(code), meaning }))).toEqual(Object.values(exitCodes));
});

test.each(leaves.map((leaf) => [leaf.words.join(' '), leaf] as const))(
  '%s ends with 1 for a flag that it does not have, and prints no answer',
  async (_, { words }) => {
    const { code, stdout, stderr } = await runInPlace([...words, '--no-such-flag'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: exitCodes.mistake.code, stdout: '' });
    expect(stderr).toMatch(/unknown option|missing required argument|required option/);
  },
);

/** Files that a command reads before it asks, and what it asks for, are no matter of the service. */
const asks = leaves.filter(
  (leaf) =>
    has(leaf, '--url') &&
    !leaf.command.options.some(({ mandatory }) => mandatory) &&
    leaf.command.registeredArguments.every(({ required }) => !required) &&
    !['mcp', 'session revoke', 'notification create', 'use'].includes(leaf.words.join(' ')),
);

test.each(asks.map((leaf) => [leaf.words.join(' '), leaf] as const))(
  '%s ends with 75 while the service is down, and names no key',
  async (_, leaf) => {
    const key = 'pm_11111111.11111111-1111-4111-8111-111111111111';
    const where = [
      '--url',
      nowhere,
      '--auth-token-file',
      'auth-token',
      ...(has(leaf, '--api-key') ? ['--api-key', key] : []),
    ];
    const { code, stdout, stderr } = await runInPlace([...leaf.words, ...where, '--json'], { cwd: folder });
    expect({ code, stdout, stderr }).toMatchObject({ code: exitCodes.tryAgain.code, stdout: '' });
    expect(stderr).not.toContain(key);
  },
);
