import type { z } from 'zod';

/**
 * Lets a check of length wait for the type. Zod runs one on whatever has a `length`, even after the type was found wrong,
 * and compares it: of `{"length":{"toString":null,"valueOf":null}}` that throws.
 */
export function afterType<Check extends z.core.$ZodCheckMaxLength | z.core.$ZodCheckMinLength>(check: Check): Check {
  check._zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value);
  return check;
}
