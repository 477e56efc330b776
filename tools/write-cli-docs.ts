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

/** The shortest of what commands say of a flag: the others are in their help. */
function sharedRow([long, { meanings }]: readonly [string, Flag]): string {
  const [meaning = ''] = [...meanings].sort((one, other) => one.length - other.length);
  return `| \`${long}\` | ${meaning.replaceAll('|', '\\|')} |`;
}

/** A flag that one command has: its help says what it means, where it is typed. */
function ownRow([long, { commands }]: readonly [string, Flag]): string {
  return `| \`${long}\` | \`${commands.join()}\` |`;
}

/** Writes the tables of flags into `docs/reference/cli.md`. */
const flags = [...readFlags()].sort(([one], [other]) => one.localeCompare(other));
const shared = flags.filter(([, { commands }]) => commands.length > 1);
const own = flags.filter(([, { commands }]) => commands.length === 1);
writeBetweenMarkers(
  'docs/reference/cli.md',
  'flags',
  'the help of the commands',
  [
    '| flag of several commands | meaning |',
    '| --- | --- |',
    ...shared.map(sharedRow),
    '',
    '| flag of one command | explained by `--help` of |',
    '| --- | --- |',
    ...own.map(ownRow),
    '',
  ].join('\n'),
);
