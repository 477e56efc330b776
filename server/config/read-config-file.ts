import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';

/** Largest configuration file that is read, in bytes. */
const maxFileBytes = 1_048_576;

/**
 * The text of a configuration file and its value: JSON with optional comments and trailing commas. Throws a `CliError` with
 * one sentence.
 */
export function readConfigFile(file: string): { readonly text: string; readonly content: unknown } {
  const text = readText(file);
  if (text.length > maxFileBytes) throw mistake(`The configuration file ${file} is larger than 1 MiB.`);
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { text, content };
  const line = text.slice(0, first.offset).split('\n').length;
  const reason = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  throw mistake(`The configuration file ${file} is not valid JSON: ${reason} in line ${line}.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw mistake(
      `The configuration file ${file} cannot be read. Check the path and that this user may read it.`,
      error,
    );
  }
}
