import { maxNameLength, unprintable } from '@tollfree/contract/limits';
import { invalidField } from './invalid-field.ts';
import { accept, type Result } from './result.ts';

/** A name that an account holder chose: 1 to {@link maxNameLength} UTF-16 units, not blank, nothing {@link unprintable}. */
export function checkName(name: string): Result<string> {
  const printable = name.trim() !== '' && !unprintable.test(name);
  if (printable && name.length <= maxNameLength) return accept(name);
  return invalidField('name', `must be a string of 1 to ${maxNameLength} printable characters`);
}
