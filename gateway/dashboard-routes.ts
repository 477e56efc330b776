import { managementErrors } from '@tollfree/contract/errors';
import type { Express, Request, Response } from 'express';
import { answerOtherMethods, sendError } from './http/send-json.ts';

/** A file of the dashboard, ready to send. */
export type DashboardFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The compressed content, for clients that accept it. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>>;
};

/** The built dashboard: its files, including `index.html`, by their path below `/dashboard`. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>;

/**
 * Only own files and own calls; wallets announce themselves with `data:` images. No page may show it in a frame, which could
 * hijack clicks.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The names of files below it contain a hash of their content. */
const hashed = 'assets/';

/** The smallest first. */
const encodings = ['br', 'gzip'] as const;

function sendFile(request: Request, response: Response, file: DashboardFile, cacheControl: string): void {
  response.setHeader('cache-control', cacheControl);
  response.setHeader('content-security-policy', contentSecurityPolicy);
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  response.setHeader('content-type', file.type);
  response.setHeader('vary', 'accept-encoding');
  const encoding = encodings.find((each) => request.acceptsEncodings(each) === each);
  const compressed = encoding && file.compressed?.[encoding];
  if (encoding && compressed) response.setHeader('content-encoding', encoding);
  response.end(compressed ?? file.bytes);
}

/** Serves the dashboard below `/dashboard`, and redirects from `/`. Every page of it is `index.html`. */
export function addDashboardRoutes(app: Express, files: DashboardFiles): void {
  const index = files.get('index.html');
  if (index === undefined) throw new Error('the dashboard has no index.html');
  app.get('/', (_request, response) => response.redirect(302, '/dashboard/'));
  app.get(['/dashboard', '/dashboard/*path'], (request, response) => {
    const name = request.path.slice('/dashboard/'.length);
    const file = files.get(name);
    if (name.startsWith(hashed)) {
      if (file === undefined) sendError(response, managementErrors.pathNotFound);
      else sendFile(request, response, file, 'public, max-age=31536000, immutable');
    } else {
      sendFile(request, response, file ?? index, 'no-cache');
    }
  });
  for (const path of ['/', '/dashboard', '/dashboard/*path']) answerOtherMethods(app, path, ['GET']);
}
