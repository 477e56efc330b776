/**
 * JSON text that is sent unchanged. Results are written by hand because JSON.stringify cannot write integers beyond 2^53 and
 * writes small numbers in exponent form. `decisionId` identifies the decision, for answers without a field for it.
 */
export type JsonText = { readonly jsonText: string; readonly decisionId?: string };

/** A JSON object whose values are JSON texts. Keys are plain names that need no escaping. */
export function jsonObject(fields: Readonly<Record<string, string>>): string {
  let text = '';
  for (const key in fields) {
    text += `${text === '' ? '{' : ','}"${key}":${fields[key]}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

export function jsonArray(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}
