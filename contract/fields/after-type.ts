import type { z } from 'zod';

/**
 * Delays a length check until the type is known to be right. Zod runs such a check on any value with a `length`, even
 * if its type is wrong, and `{"length":{"toString":null,"valueOf":null}}` makes the comparison throw.
 */
export function afterType<Check extends z.core.$ZodCheckMaxLength | z.core.$ZodCheckMinLength>(check: Check): Check {
  check._zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value);
  return check;
}
