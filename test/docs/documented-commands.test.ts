import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../server/main.ts';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';

const codePattern = /```sh[^\n]*\n(?<fenced>[\s\S]*?)```|(?<!`)`(?<inline>[^`\n]+)`/g;
const scriptPattern = /\bnpm (?:run (?<script>[\w:|-]+)|(?<test>test)\b)/g;
const commandPattern = /\btollfree (?<command>[a-z][a-z|-]*)(?: (?<subcommand>[a-z][a-z|-]*))?/g;

/** Pages of the past name commands that are gone. */
const pages = findMarkdownFiles().filter((page) => page !== 'CHANGELOG.md');

/** What the pages hold as commands and code between backticks. */
const code = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(codePattern)].map(({ groups }) => ({
    page,
    text: groups?.fenced ?? groups?.inline ?? '',
  })),
);

test('npm scripts that the pages name are in package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = code.flatMap(({ page, text }) =>
    [...text.matchAll(scriptPattern)].flatMap(({ groups }) =>
      (groups?.script ?? groups?.test ?? '').split('|').map((script) => ({ page, script })),
    ),
  );
  expect(named).toContainEqual({ page: 'README.md', script: 'dev' });
  expect(named.filter(({ script }) => scripts[script] === undefined)).toEqual([]);
});

test('commands of tollfree that the pages name are there', () => {
  const known = new Map(createProgram().commands.map((command) => [command.name(), command.commands]));
  const named = code.flatMap(({ page, text }) =>
    [...text.matchAll(commandPattern)].flatMap(({ groups }) =>
      (groups?.command ?? '')
        .split('|')
        .map((command) => ({ page, command, words: groups?.subcommand?.split('|') ?? [] })),
    ),
  );
  expect(named).toContainEqual({ page: 'docs/go-live.md', command: 'contract', words: ['register'] });
  expect(named.filter(({ command }) => !known.has(command))).toEqual([]);

  const unknown = named.filter(({ command, words }) => {
    const subcommands = known.get(command)?.map((subcommand) => subcommand.name()) ?? [];
    return subcommands.length > 0 && words.some((word) => !subcommands.includes(word));
  });
  expect(unknown).toEqual([]);
});

/** Commands with their flags, as far as a line of code has them: up to a pipe, a comment or another command. */
const callPattern = /\b(?:npm run tollfree (?:--silent )?-- |tollfree )(?<call>[a-z][^`#|;&\n]*)/g;

test('flags that the pages give to a command of tollfree are there', () => {
  const commands = createProgram().commands;
  const flagsOf = (call: string): { readonly given: readonly string[]; readonly known: readonly string[] } => {
    const [name, subname] = call.split(' ');
    const command = commands.find((each) => each.name() === name);
    const subcommand = command?.commands.find((each) => each.name() === subname);
    const options = [...(command?.options ?? []), ...(subcommand?.options ?? [])];
    return {
      given: [...call.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => flag),
      known: [...options.flatMap(({ long }) => long ?? []), '--help', '--json'],
    };
  };
  const calls = code.flatMap(({ page, text }) =>
    [...text.replace(/\\\n\s*/g, ' ').matchAll(callPattern)].map(({ groups }) => ({ page, call: groups?.call ?? '' })),
  );
  const withFlags = calls.filter(({ call }) => commands.some((command) => command.name() === call.split(' ')[0]));
  expect(withFlags.filter(({ call }) => call.includes(' --')).length).toBeGreaterThan(30);
  const unknown = withFlags.flatMap(({ page, call }) => {
    const { given, known } = flagsOf(call);
    return given.filter((flag) => !known.includes(flag)).map((flag) => `${page}: ${flag} of "tollfree ${call.trim()}"`);
  });
  expect(unknown).toEqual([]);
});

/** `name@version`, as an install line has it. */
const pinPattern = /(?<![\w@/.-])(?<name>@?[a-z][\w-]*(?:\/[\w-]+)?)@(?<version>\d+\.\d+\.\d+)/g;

test('versions that install lines name are those that the tests run with', () => {
  const manifests = ['package.json', 'test/package.json', 'clients/sdk/package.json'].map(
    (file): { dependencies?: Record<string, string>; devDependencies?: Record<string, string> } =>
      JSON.parse(readFileSync(join(root, file), 'utf8')),
  );
  const known = new Map(
    manifests.flatMap(({ dependencies = {}, devDependencies = {} }) =>
      Object.entries({ ...devDependencies, ...dependencies }),
    ),
  );
  const pins = code.flatMap(({ page, text }) =>
    [...text.matchAll(pinPattern)].map(({ groups }) => ({ page, name: groups?.name ?? '', version: groups?.version })),
  );
  expect(pins.length).toBeGreaterThan(3);
  expect(pins.filter(({ name, version }) => known.has(name) && known.get(name) !== version)).toEqual([]);
  const own = pages.filter((page) => /tollfree[\w-]*-\d+\.\d+\.\d+\.tgz/.test(readFileSync(join(root, page), 'utf8')));
  expect(own).toEqual([]);
});

test('the page about the command line names every command', () => {
  const rows = readFileSync(join(root, 'docs/reference/cli.md'), 'utf8').split('\n');
  const commands = createProgram().commands.filter((command) => command.description() !== '');
  expect(commands.length).toBeGreaterThan(20);
  const missing = commands.flatMap((command) => {
    const row = rows.find((line) => new RegExp(`tollfree ${command.name()}[\\s\`]`).test(line)) ?? '';
    const named = command.commands.map((subcommand) => subcommand.name());
    const left = named.filter((name) => !new RegExp(`[\\s\`]${name}[\\s\`]`).test(row));
    return row === '' ? [command.name()] : left.map((name) => `${command.name()} ${name}`);
  });
  expect(missing).toEqual([]);
});

test('the README shows the output of the first run that the page Start shows', () => {
  const [shown] = /^EntryPoint +Sponsored[\s\S]*?(?=^```)/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  expect(shown).toMatch(/^0\.9 /m);
  expect(readFileSync(join(root, 'docs/start.md'), 'utf8')).toContain(shown);
});
