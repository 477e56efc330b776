import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { findConfigFile, withOwnConfig } from '../config/load-config.ts';
import { countMistakes, describeMistakes } from './describe-mistakes.ts';
import { findMistakes } from './find-mistakes.ts';

/** `tollfree config check`: every mistake of the configuration at once. */
export async function showMistakes(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  const file = findConfigFile(flags);
  if (file === undefined) throw mistake('Name the configuration: --config <file>.');
  const mistakes = await findMistakes(flags);
  printAnswer(flags, { config: file, mistakes }, () =>
    printLine(mistakes.length === 0 ? `${file} is valid.` : describeMistakes(mistakes)),
  );
  if (mistakes.length > 0) throw mistake(`The configuration has ${countMistakes(mistakes)}.`);
}
