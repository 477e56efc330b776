import type { ConfigMistake } from './mistake.ts';

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
  return length === 1 ? '1 mistake' : `${length} mistakes`;
}
