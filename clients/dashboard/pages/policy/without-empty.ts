import type { FieldSchema } from './field-schema.ts';

/** A draft without empty fields. Fields unknown to the schema are kept unchanged. */
export function withoutEmpty(value: unknown, schema: FieldSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, schema.items) ?? each);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, withoutEmpty(each, schema.properties?.[key])] as const)
    .filter(([, each]) => each !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
