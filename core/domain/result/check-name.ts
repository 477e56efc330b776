import { maxNameLength } from '@tollfree/contract/limits';
import { invalidField } from './invalid-field.ts';
import { accept, type Result } from './result.ts';

/** A name that an account holder chose: 1 to {@link maxNameLength} UTF-16 units, not blank, no control characters or half surrogate pairs. */
export function checkName(name: string): Result<string> {
  const printable = name.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(name);
  if (printable && name.length <= maxNameLength) return accept(name);
  return invalidField('name', `must be a string of 1 to ${maxNameLength} printable characters`);
}
