import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { jsonDepthExceeds } from './json-depth.ts';

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
 * Reads a request's body as JSON in UTF-8: at most `maxBytes`, nested at most `maxDepth` deep (checked before it is
 * parsed). Compressed bodies are not read. An empty body is not JSON.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number, maxDepth: number): Promise<JsonBody> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return { kind: 'encoded' };
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return { kind: 'too-large' };
  }
  const bytes = await readBytes(request, maxBytes);
  if (typeof bytes === 'string') {
    return { kind: bytes };
  }
  if (!isUtf8(bytes)) {
    return { kind: 'not-utf8' };
  }
  if (jsonDepthExceeds(bytes, maxDepth)) {
    return { kind: 'too-deep' };
  }
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'not-json' };
  }
}
