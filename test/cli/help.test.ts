import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../server/main.ts';

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

test('the help lists every command under what it is for', () => {
  const help = createProgram().helpInformation();
  const headings = help.split('\n').filter((line) => /^\S.*:$/.test(line));
  expect(headings).toContain('Operate it:');
  // Where commander puts those of no group.
  expect(headings).not.toContain('Commands:');
});

test('a flag that a command needs is marked as such, and no other one', () => {
  const flags = everyCommand(createProgram()).flatMap((command) =>
    command.options.map((option) => ({ option, said: command.createHelp().optionDescription(option) })),
  );
  expect(flags.some(({ option }) => option.mandatory)).toBe(true);
  for (const { option, said } of flags) expect(said.endsWith('(required)')).toBe(option.mandatory);
});

test('every command and flag says what it is', () => {
  const hidden = 'complete';
  const shown = everyCommand(createProgram()).filter((command) => command.name() !== hidden);
  expect(shown.filter((command) => command.description() === '').map((command) => command.name())).toEqual([]);
  expect(shown.flatMap(({ options }) => options).filter(({ description }) => description === '')).toEqual([]);
});

/** What a description says first; behind it are defaults, examples and what is special in a command. */
const meaningOf = (description: string) => description.split(/[,:;(]/, 1)[0]?.trim() ?? '';
/** The source and the target of a move, which no other command has. */
const ofMigrate = new Set(['--from', '--to']);

test('a flag means the same in every command that has it', () => {
  const meanings = new Map<string, Set<string>>();
  for (const command of everyCommand(createProgram())) {
    for (const { long, description } of command.options) {
      if (long == null || (command.name() === 'migrate' && ofMigrate.has(long))) continue;
      meanings.set(long, (meanings.get(long) ?? new Set()).add(meaningOf(description)));
    }
  }
  const several = [...meanings].filter(([, said]) => said.size > 1).map(([long, said]) => [long, ...said]);
  expect(several).toEqual([]);
});

/** Services, whose log is JSON lines, and those that print for a shell or speak a protocol. */
const withoutJson = ['node', 'core', 'gateway', 'mcp', 'completion', 'complete', 'help'];

test('every command that answers has --json', () => {
  const leaves = everyCommand(createProgram()).filter((command) => command.commands.length === 0);
  const without = leaves.filter(({ options }) => !options.some(({ long }) => long === '--json'));
  expect(without.map((command) => command.name()).toSorted()).toEqual(
    withoutJson.filter((name) => leaves.some((command) => command.name() === name)).toSorted(),
  );
});
