import { createHash, timingSafeEqual } from 'node:crypto';
import { Metadata, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder, status } from '@grpc/grpc-js';
import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { inSpan, isTraced, traced } from '../base/traced.ts';
import type { Secret } from '../base/values/secret.ts';
import { ActorSchema, actAs, currentActor } from '../domain/access/actor.ts';

/** The actor of a call, as JSON in UTF-8: binary, because a client's name for itself may use any characters. */
const actorHeader = 'tollfree-actor-bin';

/** Adds the current actor to a call's metadata. */
export function withActor(metadata: Metadata): Metadata {
  const actor = currentActor();
  if (actor === undefined) return metadata;
  const extended = metadata.clone();
  extended.set(actorHeader, Buffer.from(JSON.stringify(actor)));
  return extended;
}

/** Serves a call on behalf of its actor; a call without one is the peer's own. `signal` is aborted when no one waits for it. */
export function servedFor<T>(
  { metadata, peer, signal }: { readonly metadata: Metadata; readonly peer: string; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const [given] = metadata.get(actorHeader);
  const actor =
    given === undefined ? ({ kind: 'peer', address: peer } as const) : ActorSchema.parse(JSON.parse(given.toString()));
  return actAs(actor, work, signal);
}

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

const tokenHeader = 'authorization';
/** Of the core's services: the others are the standard ones, of other packages. */
const corePaths = `/${CoreService.file.proto.package}.`;

/** Metadata of each call: `authorization: Bearer <token>`, or none. */
export function accessMetadata(token: Secret<string> | undefined): Metadata {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set(tokenHeader, `Bearer ${token.reveal()}`);
  return metadata;
}

/**
 * Answers `UNAUTHENTICATED` to core calls without the token, before reading their message. Health and reflection need none:
 * they reveal nothing, and probes cannot send one.
 */
export function requireToken(token: Secret<string>): ServerInterceptor {
  const expected = digest(`Bearer ${token.reveal()}`);
  return (method, call) => {
    if (!method.path.startsWith(corePaths)) return new ServerInterceptingCall(call);
    const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, next) => {
      const [given] = metadata.get(tokenHeader);
      // Digests have equal length, and the comparison reveals nothing about the token.
      if (timingSafeEqual(digest(String(given ?? '')), expected)) next(metadata);
      else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'the token is missing or wrong' });
    });
    return new ServerInterceptingCall(call, { start: (next) => next(listener.build()) });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
