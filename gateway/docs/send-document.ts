import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);

/** A document that is the same for everyone: its media type, and its content. */
export type Document = { readonly type: string; readonly content: string | Buffer };

type Prepared = { readonly bytes: Buffer; readonly etag: string };
type PreparedDocument = { readonly type: string; readonly plain: Prepared; readonly gzip: Prepared };

/** Bytes of the digest that makes an ETag. */
const etagBytes = 16;

/** Sends a document as it was prepared at its first use: compressed if the client accepts that, and with an ETag. */
export type SendDocument = (
  request: Request,
  response: Response,
  path: string,
  make: () => Document,
  headers?: Readonly<Record<string, string>>,
) => Promise<void>;

/** `path` identifies a document. Only paths of existing documents may be passed, since everything prepared is kept. */
export function createSendDocument(): SendDocument {
  const prepared = new Map<string, Promise<PreparedDocument>>();

  return async (request, response, path, make, headers = {}) => {
    const preparing = prepared.get(path) ?? prepare(make());
    prepared.set(path, preparing);
    const { type, plain, gzip } = await preparing;
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
    const { bytes, etag } = isCompressed ? gzip : plain;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('vary', 'accept-encoding');
    response.setHeader('etag', etag);
    if (request.fresh) {
      response.writeHead(304).end();
      return;
    }
    response.setHeader('content-type', type);
    if (isCompressed) response.setHeader('content-encoding', 'gzip');
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
  };
}

async function prepare({ type, content }: Document): Promise<PreparedDocument> {
  const bytes = Buffer.from(content);
  const digest = createHash('sha256').update(bytes).digest().subarray(0, etagBytes).toString('base64url');
  return {
    type,
    plain: { bytes, etag: `"${digest}"` },
    gzip: { bytes: await compress(bytes), etag: `"${digest}-gzip"` },
  };
}
