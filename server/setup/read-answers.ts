import { resolve } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { readNamedFile } from '../../clients/cli/terminal/read-file.ts';
import { textFlag } from '../../clients/cli/terminal/text-flag.ts';

/** The flags with the answers of `--answers` for those that are not given. `known` are the names that flags have. */
export function withAnswers(flags: Flags, known: readonly string[]): Flags {
  const file = textFlag(flags, 'answers');
  if (file === undefined) return flags;
  const answers = parse(readNamedFile(resolve(file), 'The file of answers'), file);
  for (const [name, value] of Object.entries(answers)) {
    if (!known.includes(name) || name === 'answers') {
      throw mistake(`${file} has the unknown answer "${name}". Answers are named like flags: nodeUrl for --node-url.`);
    }
    if (typeof value !== 'string' && value !== true) {
      throw mistake(`The answer "${name}" in ${file} must be text, or true for a flag without a value.`);
    }
  }
  return { ...answers, ...flags };
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const answers: unknown = JSON.parse(text);
    if (typeof answers === 'object' && answers !== null && !Array.isArray(answers)) return { ...answers };
  } catch {
    // The sentence below says it.
  }
  throw mistake(`${file} must be a JSON object, like { "chain": "base" }.`);
}
