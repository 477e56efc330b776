import { z } from 'zod';
import { afterType, ofScalar } from './fields/form.ts';
import { cursorForm, defaultPageSize, maxNameLength, maxPageSize, maxUrlLength, unprintable } from './limits.ts';

/**
 * A required string of a management request. One text, `<name> must be a string`, covers a missing field and a wrong type; a
 * longer value gets `<name> must be at most <max> characters`.
 */
export function textField(name: string, max: number) {
  return z
    .string({ error: `${name} must be a string` })
    .check(afterType(z.maxLength(max, { error: `${name} must be at most ${max} characters` })));
}

/**
 * A {@link textField} of 1 to {@link maxNameLength} printable characters, not all blank: the name of a paymaster or a
 * contract. Lone surrogates are refused, because they could not be stored and returned unchanged. So are characters
 * that are invisible or change the text's direction.
 */
export function nameField(name: string) {
  return textField(name, maxNameLength)
    .refine((value) => value.trim() !== '', { error: `${name} must not be blank` })
    .refine((value) => !unprintable.test(value), { error: `${name} must be printable characters` });
}

/** The URL to call. Its format is checked here, so that it fails before later fields; its destination is checked later. */
export function urlField(name: string) {
  return textField(name, maxUrlLength).refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), {
    error: `${name} must be a valid URL`,
  });
}

/** A contract's or wallet's address. Its form is checked here, so that it fails before later fields; its checksum later. */
export function addressField(name: string) {
  const error = `${name} must be a valid address`;
  return z
    .string({ error: `${name} must be a string` })
    .check(afterType(z.maxLength(64, { error })))
    .refine((value) => /^0x[0-9a-fA-F]{40}$/.test(value), { error });
}

/**
 * A required string with few allowed values: `<name> must be a string` when it is missing or of another type, else
 * `<name> must be A or B`.
 */
export function choiceField<const Choices extends readonly [string, ...string[]]>(name: string, choices: Choices) {
  return z.enum(choices, {
    error: (issue) =>
      typeof issue.input === 'string' ? `${name} must be ${choices.join(' or ')}` : `${name} must be a string`,
  });
}

/** A whole number in decimal digits, from 0 to at most as many digits as `max` has. */
export function digitsForm(max: bigint): RegExp {
  return new RegExp(`^(0|[1-9]\\d{0,${String(max).length - 1}})$`);
}

/** A query parameter that is a whole number from 1 to `max`. */
export function countQuery(name: string, max: number) {
  const error = `${name} must be a whole number from 1 to ${max}`;
  const digits = z.string().regex(new RegExp(`^[1-9]\\d{0,${String(max).length - 1}}$`), { error });
  return ofScalar(digits.refine((value) => Number(value) <= max, { error }).transform(Number), 'integer');
}

/** Query parameters for one page of a list. `items` names the listed items. */
export function pageQuery(items: string) {
  return {
    cursor: z
      .string()
      .regex(cursorForm, { error: 'cursor must be the nextCursor of an earlier answer' })
      .optional()
      .describe('The `nextCursor` of the previous page.'),
    limit: countQuery('limit', maxPageSize)
      .optional()
      .describe(`${items} per page, 1 to ${maxPageSize}; ${defaultPageSize} by default.`),
  } as const;
}

/** An optional UTC day. */
export function dayQuery(name: string) {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: `${name} must be a day like 2026-01-31` })
    .optional();
}
