import type { FieldSchema } from './field-schema.ts';

/**
 * A draft without what was left empty: a field that has no value is not in it. What the schema does not know is not the
 * form's to change, and stays as it is.
 */
export function withoutEmpty(value: unknown, schema: FieldSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, schema.items) ?? each);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, withoutEmpty(each, schema.properties?.[key])] as const)
    .filter(([, each]) => each !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
