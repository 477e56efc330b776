import type { Metadata } from '@grpc/grpc-js';
import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { inSpan, isTraced, traced } from '../base/traced.ts';

const tracer = trace.getTracer('tollfree');

/** The headers of a trace (W3C Trace Context). No other context leaves the process. */
const carried = ['traceparent', 'tracestate'];

/** Calls a method of the core as a span, continued by the core's own. */
export function tracedCall<T>(path: string, metadata: Metadata, send: (metadata: Metadata) => Promise<T>): Promise<T> {
  if (!isTraced()) return send(metadata);
  return traced({ name: `call ${methodOf(path)}`, kind: SpanKind.CLIENT, attributes: { 'rpc.system': 'grpc' } }, () => {
    const withTrace = metadata.clone();
    propagation.inject(context.active(), withTrace, {
      set: (to, key, value) => {
        if (carried.includes(key)) to.set(key, value);
      },
    });
    return send(withTrace);
  });
}

/** Serves a call as a span of the caller's trace, or without tracing if the caller has none. */
export function tracedService<T>(path: string, metadata: Metadata, work: () => Promise<T>): Promise<T> {
  if (metadata.get('traceparent').length === 0) return work();
  const remote = propagation.extract(ROOT_CONTEXT, metadata, {
    keys: () => carried,
    get: (from, key) => (carried.includes(key) ? from.get(key).map(String) : undefined),
  });
  if (trace.getSpanContext(remote) === undefined) return work();
  const attributes = { 'rpc.system': 'grpc', 'rpc.method': methodOf(path) };
  return tracer.startActiveSpan(`core ${methodOf(path)}`, { kind: SpanKind.SERVER, attributes }, remote, (span) =>
    inSpan(span, work),
  );
}

/** The name of the method that a path leads to. */
export function methodOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
