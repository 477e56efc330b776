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

/** What a client may say of the trace that its request is part of (W3C Trace Context). */
const read = ['traceparent', 'tracestate'];

/**
 * Answers a request as a span, of the client's trace where it says one. The span knows no path and no header: method, kind
 * of address, status, and the ids of request and decision.
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
  // No one traces in this process.
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
