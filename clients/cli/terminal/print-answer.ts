import type { Flags } from './flags.ts';

/**
 * Prints a command's result: with `--json` the data as one line of JSON with wei amounts as decimal text, else the output of
 * `forPerson`.
 */
export function printAnswer(flags: Flags, data: unknown, forPerson: () => void): void {
  if (flags.json === true) process.stdout.write(`${JSON.stringify(data, bigintAsText)}\n`);
  else forPerson();
}

/** For `JSON.stringify`: a bigint becomes decimal text. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** Prints a line of the result. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a hint on stderr, so that it does not enter a pipe. */
export function printHint(text: string): void {
  process.stderr.write(`${text}\n`);
}
