import { maxNameLength, unprintable } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { accept, type Result, refuse } from './result.ts';

/** Refuses one field of the input. The message is the field followed by the requirement: `name must be a string`. */
export function invalidField(
  field: string,
  requirement: string,
  details?: Readonly<Record<string, string>>,
): ReturnType<typeof refuse> {
  return refuse({
    reason: 'INVALID_FIELD',
    message: `${field} ${requirement}`,
    field,
    ...omitAbsent({ details }),
  });
}

/** A name chosen by an account holder: 1 to {@link maxNameLength} UTF-16 units, not blank, nothing {@link unprintable}. */
export function checkName(name: string): Result<string> {
  const printable = name.trim() !== '' && !unprintable.test(name);
  if (printable && name.length <= maxNameLength) return accept(name);
  return invalidField('name', `must be a string of 1 to ${maxNameLength} printable characters`);
}
