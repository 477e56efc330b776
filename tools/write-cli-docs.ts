import type { Command } from 'commander';
import { createProgram } from '../server/main.ts';
import { writeBetweenMarkers } from './write-between-markers.ts';

type Flag = { readonly meanings: readonly string[]; readonly commands: readonly string[] };

function leavesOf(command: Command, words: readonly string[] = []): readonly (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[words.join(' '), command]];
  return command.commands.flatMap((inner) => leavesOf(inner, [...words, inner.name()]));
}

/** Every flag of the command line by its name, from the help of the commands that have it. */
function readFlags(): ReadonlyMap<string, Flag> {
  const flags = new Map<string, Flag>();
  for (const [words, command] of leavesOf(createProgram())) {
    for (const { long, description } of command.options) {
      if (long === undefined || long === null) continue;
      const { meanings = [], commands = [] } = flags.get(long) ?? {};
      flags.set(long, { meanings: [...meanings, description], commands: [...commands, words] });
    }
  }
  return flags;
}

/** The shortest of what commands say of a flag: the others are in their help. The command, where only one has the flag. */
function flagRow([long, { meanings, commands }]: readonly [string, Flag]): string {
  const [meaning = ''] = [...meanings].sort((one, other) => one.length - other.length);
  const [only, ...others] = commands;
  const cells = [`\`${long}\``, meaning.replaceAll('|', '\\|'), others.length === 0 ? `\`${only}\`` : ''];
  return `| ${cells.join(' | ').trim()} |`;
}

/** Writes the table of flags into `docs/reference/cli.md`. */
const rows = [...readFlags()].sort(([one], [other]) => one.localeCompare(other)).map(flagRow);
writeBetweenMarkers(
  'docs/reference/cli.md',
  'flags',
  'the help of the commands',
  ['| flag | meaning | only of |', '| --- | --- | --- |', ...rows, ''].join('\n'),
);
