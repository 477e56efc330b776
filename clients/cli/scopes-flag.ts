import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';

/** The scopes of `--scopes read,manage`, or nothing without it. */
export function scopesFlag(flags: Flags): readonly Scope[] | undefined {
  const text = textFlag(flags, 'scopes');
  if (text === undefined) return undefined;
  const words = text.split(',').map((word) => word.trim());
  const wanted = scopes.filter((scope) => words.includes(scope));
  if (wanted.length !== words.length) {
    throw mistake(`--scopes must be one or more of ${scopes.join(',')}, each once, with commas between them.`);
  }
  return wanted;
}
