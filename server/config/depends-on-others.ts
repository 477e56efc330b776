/**
 * A schema check across several parts, reported together with errors of the parts themselves: it must tolerate missing or
 * invalid parts. `params` are for code that explains mistakes.
 */
export function refusal(error: string, params?: Readonly<Record<string, string>>) {
  const when = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null;
  return { error, when, ...(params === undefined ? {} : { params }) };
}

/** Whether no two entries have the same value of a key. Entries without it are not compared. */
export function areAllDifferent<Key extends string>(
  entries: readonly Partial<Record<Key, unknown>>[],
  key: Key,
): boolean {
  if (!Array.isArray(entries)) return true;
  const values = entries.map((entry) => entry?.[key]).filter((value) => value !== undefined);
  return new Set(values).size === values.length;
}
