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
