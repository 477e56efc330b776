import type { z } from 'zod';
import { insteadOf } from './fixed-settings.ts';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Describes a wrong value, as text that follows the setting's name. A schema's own text takes precedence. */
export const issueText = (issue: RawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `must not ${sizeVerbs[issue.origin] ?? 'be'} below ${issue.minimum}`;
    case 'too_big':
      return `must not ${sizeVerbs[issue.origin] ?? 'be'} above ${issue.maximum}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be one of: ${issue.values.join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : 'has an unknown kind';
    default:
      return undefined;
  }
};

const sizeVerbs: Readonly<Record<string, string>> = { string: 'have a length', array: 'have a number of entries' };

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** One sentence for the first error, with the setting's path and source. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  place: { origins: ReadonlyMap<string, string>; file: string | undefined },
): string {
  const { origins, file } = place;
  const origin = origins.get(issue.path.join('.')) ?? file ?? 'the configuration';
  const name = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const removed = issue.keys.flatMap((key) => insteadOf([...issue.path, key]) ?? []);
    if (removed.length > 0) {
      const keys = issue.keys.map((key) => `"${key}"`).join(', ');
      return `${keys}${name === '' ? '' : ` in ${name}`} is no longer a setting (in ${origin}). ${removed[0]} Remove it.`;
    }
    const where = name === '' ? '' : ` in ${name}`;
    return `${issue.keys.map((key) => `"${key}"`).join(', ')}${where} is not a known setting (in ${origin}).`;
  }
  return `${name === '' ? 'The configuration' : name} ${issue.message} (in ${origin}).`;
}

/** The name of a setting, like `chains[0].nodeUrls`; empty for the whole configuration. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const key = String(part);
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${text}["${key}"]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
