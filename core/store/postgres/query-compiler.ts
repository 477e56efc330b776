import { PostgresQueryCompiler } from 'kysely';

/**
 * Kysely's compiler, except that it handles NUL in texts, which the server rejects. No stored text has one: names may not
 * contain it, and JSON escapes it. So a text with NUL must match nothing.
 */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    super.appendValue(storable(parameter));
  }
}

/** A value that the server accepts. */
export function storable<T>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
