import { mistake } from '../cli-error.ts';
import { type Flags, findConfigFile } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';
import { printAnswer, printLine } from '../manage/print-answer.ts';
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
