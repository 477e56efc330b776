import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';

const compress = promisify(gzip);

/** Shorter answers gain little. Answers with a secret are shorter, so that their length tells nothing about it. */
const minBytes = 2_048;

/**
 * Compresses what `response.json` sends, outside the event loop, for clients that accept gzip. A dashboard reads the same
 * long answers again and again.
 */
export function compressAnswers(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'GET' || request.acceptsEncodings('gzip') !== 'gzip') {
    next();
    return;
  }
  const sendPlain = response.json.bind(response);
  response.json = (body: unknown) => {
    const text = JSON.stringify(body);
    if (Buffer.byteLength(text) < minBytes) return sendPlain(body);
    compress(text).then(
      (bytes) => {
        response.setHeader('content-type', 'application/json; charset=utf-8');
        response.setHeader('content-encoding', 'gzip');
        response.setHeader('content-length', bytes.length);
        response.vary('accept-encoding');
        response.end(bytes);
      },
      () => response.destroy(),
    );
    return response;
  };
  next();
}
