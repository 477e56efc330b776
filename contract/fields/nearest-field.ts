import leven from 'leven';
import { z } from 'zod';
import { pathOf } from './exactly.ts';

/** How many letters of a word may differ from a known one: a third. */
const wrongLetters = (word: string) => Math.max(2, Math.floor(word.length / 3));

/** Longest word that is compared; no known one is longer. Comparing takes the product of both lengths. */
const maxCompared = 50;

/** The known word that a misspelled one resembles. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > maxCompared) return undefined;
  const [closest] = known
    .map((one) => ({ one, distance: leven(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return closest !== undefined && closest.distance <= wrongLetters(word) ? closest.one : undefined;
}

type UnknownFields = z.core.$ZodIssueUnrecognizedKeys;

export function isOfUnknownField(issue: z.core.$ZodIssue): issue is UnknownFields {
  return issue.code === 'unrecognized_keys';
}

/**
 * What the author of an unknown field may have meant: a field of the same object or of an object in it, or else the fields that
 * the object has. A sentence to append to the issue's message.
 */
export function suggestField({ path, keys: [key = ''] }: UnknownFields, schema: z.ZodType): string {
  const fields = fieldsAt(schema, path);
  const inside = Object.entries(fields).find(([, field]) => key in shapeOf(field))?.[0];
  const meant = inside === undefined ? nearest(key, Object.keys(fields)) : `${inside}.${key}`;
  if (meant !== undefined) return `Did you mean ${pathOf([...path, meant])}?`;
  const names = Object.keys(fields);
  return names.length === 0 ? 'There are no fields here.' : `The known fields are ${names.join(', ')}.`;
}

/** The field of an object's schema that a name resembles. */
export function nearestField(schema: z.ZodType, name: string): string | undefined {
  return nearest(name, Object.keys(shapeOf(schema)));
}

type Shape = Readonly<Record<string, z.ZodType>>;

function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): Shape {
  const object = path.reduce<z.ZodType | undefined>((part, step) => part && insideOf(part, step), schema);
  return object === undefined ? {} : shapeOf(object);
}

function insideOf(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const part = unwrapped(schema);
  return part instanceof z.ZodArray ? (part.element as z.ZodType) : shapeOf(part)[String(step)];
}

/** The fields of an object's schema; none of anything else. */
function shapeOf(schema: z.ZodType): Shape {
  const part = unwrapped(schema);
  return part instanceof z.ZodObject ? (part.shape as Shape) : {};
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly;
  return isWrapper ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}
