import { counted } from '@tollfree/contract/counted';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { findConfigFile, withOwnConfig } from '../config/load-config.ts';
import { findMistakes } from './find-mistakes.ts';
import type { ConfigMistake } from './mistake.ts';

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

/** Mistakes for people: two lines each, and a third with the fix. */
export function describeMistakes(mistakes: readonly ConfigMistake[]): string {
  return mistakes
    .map(({ place, setting, problem, hint }) =>
      [
        place,
        `  ${setting === '' ? problem : `${setting} ${problem}`}`,
        ...(hint === undefined ? [] : [`  ${hint}`]),
      ].join('\n'),
    )
    .join('\n');
}

/** How many there are, in words. */
export function countMistakes({ length }: readonly unknown[]): string {
  return counted(length, 'mistake');
}
