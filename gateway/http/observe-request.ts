import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../../core/base/logger.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import type { GatewayMetrics } from '../metrics.ts';

const rpcKey = /^(\/api\/v\d+\/(?!public\/)[^/]*\/)[^/]+/;

/** Longest path that is logged. */
const maxLength = 200;

/** A request's path in a form safe to log: no query, no apiKey, nothing that resembles a credential. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return redactCredentials(path.slice(0, maxLength).replace(rpcKey, '$1[redacted]'));
}

/** Status counted for a request whose client disconnected before its answer was sent. */
const clientGone = 499;

/** The matched route, which Express leaves on the request. Other paths would add a label value per guess. */
function routeOf(request: IncomingMessage & { route?: { path?: unknown } }): string {
  return typeof request.route?.path === 'string' ? request.route.path : 'unmatched';
}

/** Longest name of a client program that is logged. */
const maxAgentLength = 200;

/** A client may send anything as its name. */
function userAgentOf({ headers }: IncomingMessage): string | undefined {
  const agent = headers['user-agent'];
  return agent === undefined ? undefined : redactCredentials(agent).slice(0, maxAgentLength);
}

/**
 * Counts a request and logs it after its answer, in one line: id, client, method, path without credentials, status,
 * duration, bytes sent (including the head), the decision's id, and the client's name for itself. Never a body or another
 * header. Faults are logged as errors, even without `accessLog`; the rest as info.
 */
export function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: {
    readonly requestId: string;
    readonly isRpc: boolean;
    readonly accessLog: boolean;
    readonly clientAddress: ClientAddress;
    readonly metrics: GatewayMetrics;
    readonly logger: Logger;
  },
): void {
  const { requestId, isRpc, accessLog, metrics, logger } = parts;
  const { socket } = request;
  const sentBefore = socket.bytesWritten;
  // Read now: it is unavailable once the connection is closed.
  const client = parts.clientAddress(request);
  const startedAt = performance.now();
  const url = request.url ?? '';
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : clientGone;
    const durationMs = performance.now() - startedAt;
    const method = request.method ?? '';
    metrics.countRequest(isRpc ? 'rpc' : routeOf(request), method, status, durationMs / 1000);
    if (!accessLog && status < 500) return;
    const decisionId = response.getHeader('x-decision-id');
    const fields = {
      requestId,
      ...omitAbsent({ decisionId }),
      client,
      method,
      path: redactPath(url),
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      bytes: socket.bytesWritten - sentBefore,
      ...omitAbsent({ userAgent: userAgentOf(request) }),
    };
    // An outage is logged once, by the part that notices it.
    if (status === 503) logger.warn(fields, 'request refused');
    else if (status >= 500) logger.error(fields, 'request failed');
    else logger.info(fields, 'request served');
  });
}

const apiKeyLike = /[A-Za-z0-9_-]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** AuthTokens, and session secrets. */
const authTokenLike = /tfs?_[A-Za-z0-9_-]+/g;

/** External text in a form safe to log or repeat, without anything that resembles a credential. */
export function redactCredentials(text: string): string {
  return text.replace(apiKeyLike, '[redacted]').replace(authTokenLike, '[redacted]');
}

const tracer = trace.getTracer('tollfree');

/** The headers with which a client can pass its trace context (W3C Trace Context). */
const read = ['traceparent', 'tracestate'];

/**
 * Handles a request as a span, within the client's trace if it sends one. The span contains no path and no header: only
 * method, kind of address, status, and the ids of request and decision.
 */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, isRpc }: { readonly requestId: string; readonly isRpc: boolean },
  answer: () => void,
): void {
  const remote = propagation.extract(ROOT_CONTEXT, request.headers, {
    keys: () => read,
    get: (headers, key) => (read.includes(key) ? headers[key] : undefined),
  });
  const method = request.method ?? '';
  const kind = isRpc ? 'rpc' : 'management';
  const attributes = { 'http.request.method': method, 'tollfree.interface': kind, 'tollfree.request_id': requestId };
  const span = tracer.startSpan(`${method} ${kind}`, { kind: SpanKind.SERVER, attributes }, remote);
  // This process does not trace.
  if (!isSpanContextValid(span.spanContext())) {
    answer();
    return;
  }
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode);
    const decisionId = response.getHeader('x-decision-id');
    if (typeof decisionId === 'string') span.setAttribute('tollfree.decision_id', decisionId);
    if (response.statusCode >= 500 || !response.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(remote, span), answer);
}
