import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { BodiesUnderWay } from './bodies-under-way.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;

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

/** What JSON text may contain: levels of objects and arrays, and values, those inside other ones included. */
export type JsonBounds = { readonly maxDepth: number; readonly maxValues: number };

/**
 * What JSON text has too much of, if anything. Parsing takes longer than in proportion where an object has thousands of fields. One
 * pass over the bytes, without recursion or allocation: safe on any input, JSON or not.
 */
export function findExcess(text: Buffer, { maxDepth, maxValues }: JsonBounds): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (byte === quote) {
      index = skipString(text, index + 1) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'depth';
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    } else if (byte === comma) {
      values += 1;
    }
    if (values > maxValues) return 'values';
  }
  return undefined;
}

export type JsonBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'too-large' | 'too-slow' | 'not-utf8' | 'encoded' | 'not-json' | 'too-deep' | 'aborted' };

/** What a body may take, next to the others that are `underWay`. */
export type BodyBounds = JsonBounds & { readonly maxBytes: number; readonly underWay: BodiesUnderWay };

/** Whether the request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function readBytes(
  request: IncomingMessage,
  { maxBytes, underWay }: Pick<BodyBounds, 'maxBytes' | 'underWay'>,
): Promise<Buffer | 'too-large' | 'too-slow' | 'aborted'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (why: 'too-large' | 'too-slow') => {
      body.end();
      request.off('data', onData);
      request.pause();
      chunks.length = 0;
      resolve(why);
    };
    const body = underWay.begin(() => stop('too-slow'));
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        stop('too-large');
        return;
      }
      chunks.push(chunk);
      body.addChunk(chunk.length);
    };
    request.on('data', onData);
    request.on('end', () => {
      body.end();
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    const abort = () => {
      body.end();
      resolve('aborted');
    };
    request.on('error', abort);
    request.on('close', abort);
  });
}

/**
 * Reads a request's body as JSON in UTF-8: at most `maxBytes`, nested at most `maxDepth` deep and with at most `maxValues`
 * (checked before parsing). Compressed bodies are refused. An empty body is not JSON. While bodies of slow senders fill the memory for
 * them, the oldest is too slow.
 */
export async function readJsonBody(request: IncomingMessage, bounds: BodyBounds): Promise<JsonBody> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return { kind: 'encoded' };
  if (Number(request.headers['content-length'] ?? 0) > bounds.maxBytes) return { kind: 'too-large' };
  const bytes = await readBytes(request, bounds);
  if (typeof bytes === 'string') return { kind: bytes };
  if (!isUtf8(bytes)) return { kind: 'not-utf8' };
  const excess = findExcess(bytes, bounds);
  if (excess !== undefined) return { kind: excess === 'depth' ? 'too-deep' : 'too-large' };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'not-json' };
  }
}
