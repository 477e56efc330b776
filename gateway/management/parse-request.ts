import { isOfUnknownField, nearestField, suggestField } from '@tollfree/contract/fields/nearest-field';
import type { z } from 'zod';

type Issues = readonly { readonly message: string }[];

/** Parses a part of a request: its value, or what is wrong with it. The first issue is the one that is answered. */
export type Parse = (schema: z.ZodType, value: unknown) => { readonly value: unknown } | { readonly issues: Issues };

/** Refuses unknown fields, and says what may have been meant. They come first: a field may be missing because it is misspelled. */
export const parseAll: Parse = (schema, value) => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const { unknown, others } = sortIssues(schema, parsed.error.issues);
  return { issues: [...unknown, ...others] };
};

/** Most unknown fields that are ignored: each is compared with the known ones. */
const maxIgnored = 100;

/**
 * For the calls of the interface: unknown fields of the object itself are ignored, except those that resemble a field that is
 * missing. Its own texts for missing fields come first.
 */
export const parseKnown: Parse = (schema, value) => {
  const first = schema.safeParse(value);
  if (first.success || !isObject(value)) return parseAll(schema, value);
  const unknown = first.error.issues.filter(isOfUnknownField).find(({ path }) => path.length === 0);
  const ignored = new Set(
    unknown?.keys.slice(0, maxIgnored).filter((key) => isNoSlip(nearestField(schema, key), value)),
  );
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.has(name))));
  if (parsed.success) return { value: parsed.data };
  const issues = sortIssues(schema, parsed.error.issues);
  return { issues: [...issues.others, ...issues.unknown] };
};

function sortIssues(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]) {
  const unknown = issues
    .filter(isOfUnknownField)
    .map((issue) => ({ message: `${issue.message}. ${suggestField(issue, schema)}` }));
  return { unknown, others: issues.filter((issue) => !isOfUnknownField(issue)) };
}

function isNoSlip(meant: string | undefined, value: object): boolean {
  return meant === undefined || meant in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
