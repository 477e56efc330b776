import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Index after the string that starts before `from`, or the end of the text if the string is unterminated. */
function skipString(text: Buffer, from: number): number {
  let end = text.indexOf(quote, from);
  while (end !== -1) {
    let escapes = 0;
    while (end - 1 - escapes >= from && text[end - 1 - escapes] === backslash) {
      escapes += 1;
    }
    if (escapes % 2 === 0) return end + 1;
    end = text.indexOf(quote, end + 1);
  }
  return text.length;
}

/**
 * Whether JSON text nests objects and arrays deeper than `maxDepth`. One pass over the bytes, without recursion or
 * allocation: safe on any input, JSON or not.
 */
export function jsonDepthExceeds(text: Buffer, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (byte === quote) {
      index = skipString(text, index + 1) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
  }
  return false;
}

export type JsonBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'too-large' | 'not-utf8' | 'encoded' | 'not-json' | 'too-deep' | 'aborted' };

/** Whether the request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too-large' | 'aborted'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.off('data', onData);
        request.pause();
        resolve('too-large');
        return;
      }
      chunks.push(chunk);
    };
    request.on('data', onData);
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

/**
 * Reads a request's body as JSON in UTF-8: at most `maxBytes`, nested at most `maxDepth` deep (checked before parsing).
 * Compressed bodies are refused. An empty body is not JSON.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number, maxDepth: number): Promise<JsonBody> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return { kind: 'encoded' };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { kind: 'too-large' };
  const bytes = await readBytes(request, maxBytes);
  if (typeof bytes === 'string') return { kind: bytes };
  if (!isUtf8(bytes)) return { kind: 'not-utf8' };
  if (jsonDepthExceeds(bytes, maxDepth)) return { kind: 'too-deep' };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'not-json' };
  }
}
