import { omitAbsent } from '@tollfree/contract/omit-absent';
import { refuse } from './result.ts';

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
