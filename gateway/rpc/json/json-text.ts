/**
 * JSON text that is sent as it is. Results are written by hand because JSON.stringify cannot write integers beyond 2^53
 * and writes small numbers in exponent form. `decisionId` names the decision behind it, for answers that have no place for it.
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
