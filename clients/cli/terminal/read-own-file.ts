import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { mistake } from './cli-error.ts';

/**
 * What a command keeps as JSON in a file of its own; undefined where there is none.
 *
 * @throws a mistake of the user with this sentence where the file holds anything else.
 */
export function readOwnFile<T>(path: string, schema: z.ZodType<T>, otherwise: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw mistake(otherwise);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
