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
