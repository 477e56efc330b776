import type { Metadata } from '@grpc/grpc-js';
import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { inSpan, isTraced, traced } from '../base/traced.ts';

const tracer = trace.getTracer('tollfree');

/** What a trace is carried in (W3C Trace Context). Nothing else of a context leaves the process. */
const carried = ['traceparent', 'tracestate'];

/** Calls a method of the core as a span, which the core's own goes on from. */
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

/** Serves a call as a span of the caller's trace. Of one who is not traced it is not traced either. */
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
