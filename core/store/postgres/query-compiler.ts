import { PostgresQueryCompiler } from 'kysely';

/**
 * Kysely's compiler, but for a NUL in a text, which the server takes for an error. No text that is stored has one: names may
 * not, and JSON writes it otherwise. So a text with one is to match nothing.
 */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    super.appendValue(storable(parameter));
  }
}

/** A value that the server takes. */
export function storable<T>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
