import type { Flags } from './flags.ts';

/**
 * Prints what a command answers: with `--json` the data as one line of JSON, amounts of wei in it as decimal text, else what
 * `forPerson` prints.
 */
export function printAnswer(flags: Flags, data: unknown, forPerson: () => void): void {
  if (flags.json === true) process.stdout.write(`${JSON.stringify(data, bigintAsText)}\n`);
  else forPerson();
}

/** For `JSON.stringify`: a bigint becomes decimal text. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** Prints a line of an answer. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a hint next to the answer, where a pipe does not take it. */
export function printHint(text: string): void {
  process.stderr.write(`${text}\n`);
}
