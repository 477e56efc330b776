import { createHash } from 'node:crypto';

/** By SQL; bounded by the number of fixed statements. */
const names = new Map<string, string>();

/** The name under which a connection keeps a fixed statement prepared. */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
