/** A JSON string, or a JSON number outside of strings. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * JSON text parsed with each number as its literal's text: `{"rate":123456789012345678901}` gives
 * `{ rate: '123456789012345678901' }`. A plain parse would round what a double does not hold. The text must be JSON.
 */
export function parseNumbersAsText(json: string): unknown {
  return JSON.parse(json.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
