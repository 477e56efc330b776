/**
 * How a schema refuses a value whose parts do not go together, told next to all that is wrong with the parts themselves: what
 * is asked has to take parts that are missing or of another form. `params` say more to who explains mistakes.
 */
export function refusal(error: string, params?: Readonly<Record<string, string>>) {
  const when = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null;
  return { error, when, ...(params === undefined ? {} : { params }) };
}

/** Whether no two entries have the same under a key. Entries without it are not compared. */
export function areAllDifferent<Key extends string>(
  entries: readonly Partial<Record<Key, unknown>>[],
  key: Key,
): boolean {
  if (!Array.isArray(entries)) return true;
  const values = entries.map((entry) => entry?.[key]).filter((value) => value !== undefined);
  return new Set(values).size === values.length;
}
