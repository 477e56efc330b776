import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ErrorAnswer } from '@tollfree/contract/envelope';
import { managementErrors } from '@tollfree/contract/errors';

/** How long a client may keep sending an unread body, in milliseconds. */
const lingerMs = 1_000;

/**
 * For a request that was answered before its body was fully read: Node discards the rest, so that the client can read the
 * answer and keep its connection. If it still sends after a second, the connection is closed.
 */
function lingerBriefly(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, lingerMs);
  timer.unref();
}

/** A listening HTTP server. */
type HttpServer = {
  readonly url: string;
  /** From now on each connection is closed after its next answer. */
  endConnections(): void;
  /** Stops accepting and lets open requests finish. */
  close(): Promise<void>;
};

const serverOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the 60 s of common load balancers, so that they close idle connections, not us. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** How often idle connections are closed while draining, in milliseconds. */
const sweepIntervalMs = 50;

function errorFor(code: string | undefined): ErrorAnswer {
  if (code === 'HPE_HEADER_OVERFLOW') return managementErrors.headersTooLarge;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? managementErrors.requestTimedOut : managementErrors.requestNotValid;
}

/** Answers an invalid HTTP request with raw bytes: there is no response object for it. */
function answerRaw(socket: Socket, { status, statusCode, message }: ErrorAnswer): void {
  const body = JSON.stringify({ statusCode, message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\n` +
      `x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Starts an HTTP server on `host:port` (0: any port) with sensible timeouts. Open requests get `drainMs` at close. */
export async function startHttpServer(
  listener: RequestListener,
  options: { host: string; port: number; drainMs: number },
): Promise<HttpServer> {
  const busy = new WeakSet<Socket>();
  let isEnding = false;
  const server = createServer(serverOptions, (request, response) => {
    busy.add(request.socket);
    response.once('close', () => busy.delete(request.socket));
    response.once('finish', () => {
      if (!request.complete) lingerBriefly(request);
    });
    if (isEnding || !server.listening) response.setHeader('connection', 'close');
    listener(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || busy.has(socket)) {
      socket.destroy();
      return;
    }
    answerRaw(socket, errorFor(error.code));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    endConnections: () => {
      isEnding = true;
    },
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close() {
      closed ??= new Promise((resolve) => {
        const sweep = setInterval(() => server.closeIdleConnections(), sweepIntervalMs);
        const giveUp = setTimeout(() => server.closeAllConnections(), options.drainMs);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(giveUp);
          resolve();
        });
        server.closeIdleConnections();
      });
      return closed;
    },
  };
}
