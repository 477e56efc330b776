import { expect } from 'vitest';

type FieldType = 'string' | 'number' | 'boolean' | 'object' | 'string[]' | 'object[]';
type Fields = Readonly<Record<string, FieldType>>;

/** Whether `value` is an object with every field of `fields`, of that type, and besides them at most those of `plus`. */
export function expectFields(value: unknown, fields: Fields, plus: Fields = {}): void {
  const object = value as Record<string, unknown>;
  const allowed: Fields = { ...fields, ...plus };
  const names = Object.keys(object);
  expect(names, 'fields of the interface').toEqual(expect.arrayContaining(Object.keys(fields)));
  expect(Object.keys(allowed), 'fields that may be there').toEqual(expect.arrayContaining(names));
  for (const [name, type] of Object.entries(allowed)) {
    if (name in object) expect([name, typeOf(object[name])]).toEqual([name, type]);
  }
}

function typeOf(value: unknown): string {
  if (!Array.isArray(value)) return value === null ? 'null' : typeof value;
  if (value.length === 0) throw new Error('An empty list has no type: check it by its value.');
  const types = new Set(value.map((element) => typeof element));
  return [...types].map((type) => `${type}[]`).join(' or ');
}
