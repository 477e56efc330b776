import { randomUUID } from 'node:crypto';
import type { Message } from '@bufbuild/protobuf';
import { type Metadata, status } from '@grpc/grpc-js';
import type { Logger } from '../base/logger.ts';
import type { UnaryMethod } from './bridge.ts';
import { servedFor, tracedService } from './call-metadata.ts';
import type { GrpcServerLimits } from './grpc-limits.ts';
import { findUnknownField } from './unknown-fields.ts';

/** A call as it arrived, whichever way it came. */
export type ArrivedCall = {
  readonly request: Buffer;
  /** What its client waits at most; infinite if it did not say. */
  readonly timeoutMs: number;
  readonly metadata: Metadata;
  readonly peer: string;
  /** Calls `gone` when its client waits no more. Absent for a call of a stream. */
  readonly onCancelled?: (gone: () => void) => void;
};

export type CallEnd =
  | { readonly code: status.OK; readonly response: Buffer }
  | { readonly code: Exclude<status, status.OK>; readonly details: string };

/** Serves a call, and calls `end` once. */
export type ServeCall = (call: ArrivedCall, end: (how: CallEnd) => void) => Promise<void>;

/**
 * Creates handlers on bytes, so that parsing and writing messages is covered by the same limits and error handling as the
 * work. `longestMs` overrides the time limits.
 */
type CallRunner = <Request, Response>(
  method: UnaryMethod<Request, Response>,
  handle: (request: Request) => Promise<Response>,
  terms: ServeTerms,
) => ServeCall;

/** How calls of a method are served. */
export type ServeTerms = {
  /** Replaces the times of the limits. */
  readonly longestMs?: number | undefined;
  /** Whether the actor is left out. An AsyncLocalStorage in use costs every promise of the process. */
  readonly isFrequent: boolean;
};

/** The answer to a call without a free slot: nothing of it has begun. */
export const tooManyCalls = 'too many concurrent calls';

/**
 * Runs calls within the limits of a server. A failure is logged with an id and answered with only that id; without the
 * database the answer is UNAVAILABLE. A call over its time is answered, but counts as running until its work ends. What such a
 * call reads, or one whose client has gone, is given up.
 */
export function createCallRunner(options: { limits: GrpcServerLimits; logger: Logger }): CallRunner {
  const { limits, logger } = options;
  let running = 0;

  return (method, handle, terms) => async (call, end) => {
    let request: Parameters<typeof handle>[0];
    try {
      request = method.requestDeserialize(call.request);
    } catch {
      end({ code: status.INVALID_ARGUMENT, details: 'the request is not a message of this method' });
      return;
    }
    const unknown = findUnknownField(request as Message);
    if (unknown !== undefined) {
      end({ code: status.UNIMPLEMENTED, details: unknown });
      return;
    }
    if (running >= limits.maxConcurrentCalls) {
      end({ code: status.UNAVAILABLE, details: tooManyCalls });
      return;
    }
    running += 1;
    let waiting = true;
    const gone = new AbortController();
    call.onCancelled?.(() => gone.abort());
    const timer = setTimeout(
      () => {
        waiting = false;
        gone.abort();
        logger.warn({ method: method.path }, 'gRPC call exceeded its time limit');
        end({ code: status.DEADLINE_EXCEEDED, details: 'the call took too long' });
      },
      timeLeft(call.timeoutMs, limits, terms.longestMs),
    );
    try {
      const response = method.responseSerialize(
        await tracedService(method.path, call.metadata, () =>
          terms.isFrequent ? handle(request) : servedFor({ ...call, signal: gone.signal }, () => handle(request)),
        ),
      );
      if (waiting) end({ code: status.OK, response });
    } catch (error) {
      // The store logs an outage once.
      if (isOutage(error)) {
        logger.debug({ err: error, method: method.path }, 'gRPC call met an outage of the database');
        if (waiting) end({ code: status.UNAVAILABLE, details: 'the database does not respond' });
        return;
      }
      const callId = randomUUID();
      logger.error({ err: error, callId, method: method.path }, 'gRPC call failed');
      if (waiting) end({ code: status.INTERNAL, details: `internal error ${callId}` });
    } finally {
      clearTimeout(timer);
      running -= 1;
    }
  };
}

/** Whether the core has temporarily lost its database, by the error's name: no layer above knows the store. */
function isOutage(error: unknown): boolean {
  return error instanceof Error && error.name === 'DatabaseLostError';
}

/** Milliseconds until a call is answered in any case. */
function timeLeft(wished: number, limits: GrpcServerLimits, longestMs: number | undefined): number {
  if (!Number.isFinite(wished)) return longestMs ?? limits.defaultDeadlineMs;
  return Math.min(Math.max(wished, 0), longestMs ?? limits.maxDeadlineMs);
}
