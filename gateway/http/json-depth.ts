const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Index after the string that starts before `from`, or the end of the text where it does not end. */
function skipString(text: Buffer, from: number): number {
  let end = text.indexOf(quote, from);
  while (end !== -1) {
    let escapes = 0;
    while (end - 1 - escapes >= from && text[end - 1 - escapes] === backslash) {
      escapes += 1;
    }
    if (escapes % 2 === 0) {
      return end + 1;
    }
    end = text.indexOf(quote, end + 1);
  }
  return text.length;
}

/**
 * Whether JSON text nests objects and arrays deeper than `maxDepth`. One pass over the bytes, no recursion, nothing
 * built: safe on any input, JSON or not.
 */
export function jsonDepthExceeds(text: Buffer, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (byte === quote) {
      index = skipString(text, index + 1) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > maxDepth) {
        return true;
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
  }
  return false;
}
