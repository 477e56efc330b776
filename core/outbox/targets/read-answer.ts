import type { z } from 'zod';

/** An answer of JSON in the form of a schema; undefined for any other answer. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, answer: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(answer)).data;
  } catch {
    return undefined;
  }
}
