import type { Command } from 'commander';
import type { Flags } from './flags.ts';

/**
 * Prints a command's result: with `--json` the data as one line of JSON with wei amounts as decimal text, else the output of
 * `forPerson`.
 */
export function printAnswer(flags: Flags, data: unknown, forPerson: () => void): void {
  if (flags.json === true) process.stdout.write(`${JSON.stringify(data, bigintAsText)}\n`);
  else forPerson();
}

/** Prints only the secret on stdout; after `--rotate` also a hint. */
export function printSecret(flags: Flags, secret: string): void {
  printAnswer(flags, { secret }, () => {
    printLine(secret);
    if (flags.rotate === true) printHint('The previous secret no longer signs anything.');
  });
}

/** For `JSON.stringify`: a bigint becomes decimal text. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a hint on stderr, so that it does not enter a pipe. */
export function printHint(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints a line with third-party text, such as a contract's revert, without unprintable characters. */
export function printForeignLine(text: string): void {
  printLine(text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{fffd}'));
}

/** Prints rows as aligned columns with headings on stdout; without rows, the hint `empty`. */
export function printRows(rows: readonly Readonly<Record<string, string>>[], empty?: string): void {
  if (rows.length === 0 && empty !== undefined) {
    printHint(empty);
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const lines = [Object.fromEntries(names.map((name) => [name, name])), ...rows];
  const widths = names.map((name) => Math.max(...lines.map((line) => (line[name] ?? '').length)));
  for (const line of lines) {
    const cells = names.map((name, column) => (line[name] ?? '').padEnd(widths[column] ?? 0));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/** A Unix time in seconds in readable form; `-` when there is none. */
export function formatTime(unixSeconds: number | undefined): string {
  return unixSeconds === undefined ? '-' : new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/** Adds the flag for JSON output. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the answer as one line of JSON');
}
