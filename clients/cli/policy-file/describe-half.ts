import type { PolicyChange } from './find-policy-changes.ts';
import type { Made } from './make-policy-changes.ts';

/** Half of a file is worse than none: the lines that say which half it is. None where nothing was made. */
export function describeHalf(made: readonly Made[], changes: readonly PolicyChange[]): readonly string[] {
  if (made.length === 0) return [];
  const done = new Set(made.map(({ change }) => change));
  const [first, ...rest] = changes.filter((change) => !done.has(change)).map(deedOf);
  return [
    `Done: ${[...done].map(deedOf).join(', ')}.`,
    `Failed: ${first}.`,
    ...(rest.length === 0 ? [] : [`Not tried: ${rest.join(', ')}.`]),
  ];
}

function deedOf({ action, name }: PolicyChange): string {
  return `${action} ${name === undefined ? 'the default policy' : `the policy ${JSON.stringify(name)}`}`;
}
