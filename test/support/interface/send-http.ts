import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { noteAnswer } from './note-answer.ts';

/** An answer as it came: `text` is the raw body, `json` what it parses to (undefined when it is not JSON). */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
};

export type HttpRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is; wins over `json`. */
  readonly text?: string | Buffer;
};

/** One HTTP request as it is: any method with any body and headers, which fetch does not allow. */
export function sendHttp(url: string, { method = 'GET', headers, json, text }: HttpRequest = {}): Promise<HttpAnswer> {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const bodyHeaders =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...bodyHeaders, ...headers } as Record<string, string>,
      agent: false,
    } as const;
    const request = httpRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = Buffer.concat(chunks).toString();
        const { statusCode = 0, headers: answered } = response;
        if (typeof body === 'string') noteAnswer(url, { method, body, status: statusCode, answer: received });
        resolve({ status: statusCode, headers: answered, text: received, json: parsed(received) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
