/** Strings first, so that digits inside them are not taken for numbers. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON with every number as the text it was written in, so that no digit passes through a double:
 * `{"usd": 0.30000000000000004}` gives `{ usd: '0.30000000000000004' }`. Undefined when the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  try {
    // The plain text decides whether it is JSON; after that every number in it is well formed.
    JSON.parse(text);
    return JSON.parse(text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  } catch {
    return undefined;
  }
}
