import { Metadata, type Server, type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { StreamedCall } from '../../../proto/gen/tollfree/core/v1/call_stream_pb.ts';
import { asBuffer } from '../bridge.ts';
import type { CallEnd, ServeCall } from '../call-runner.ts';
import type { GrpcServerLimits } from '../grpc-limits.ts';
import {
  answerFrame,
  callFrame,
  collectForTurn,
  exchangeMethod,
  frameLimits,
  refusedWhileStopping,
} from './call-frames.ts';

type CallStream = ServerDuplexStream<Buffer, Buffer>;
type Answer = { readonly id: number; readonly end: CallEnd };

/** Nothing travels with a call of a stream: one of a trace is a unary call, and an actor has no use for these methods. */
const noMetadata = new Metadata();

/**
 * Adds the stream on which a client sends many calls in one message (call_stream.proto). They are served as unary ones are, by the
 * handlers of `methods`, within the same limits.
 */
export function addCallStreams(
  server: Server,
  { methods, limits }: { readonly methods: ReadonlyMap<string, ServeCall>; readonly limits: GrpcServerLimits },
): {
  /** Begins with no more calls, and tells the clients, whose streams end once their calls are answered. */
  stop(): void;
} {
  const open = new Set<OpenStream>();
  let isStopping = false;
  const exchange = (call: CallStream) => {
    if (isStopping || open.size >= limits.maxCallStreams) {
      call.emit('error', { code: status.UNAVAILABLE, details: isStopping ? refusedWhileStopping : 'too many streams' });
      return;
    }
    const stream = serveStream(call, methods, () => open.delete(stream));
    open.add(stream);
  };
  server.addService({ exchange: exchangeMethod }, { exchange });
  return {
    stop() {
      isStopping = true;
      for (const stream of open) stream.stop();
    },
  };
}

type OpenStream = { stop(): void };

function serveStream(call: CallStream, methods: ReadonlyMap<string, ServeCall>, onOver: () => void): OpenStream {
  const peer = call.getPeer();
  /** Calls that were read and not begun. */
  let queue: StreamedCall[] = [];
  /** Calls whose answer is not written yet. */
  let running = 0;
  let isStopping = false;
  /** Whether no more calls come. */
  let isLast = false;
  let isOver = false;

  function write(message: Parameters<typeof answerFrame.write>[0]): void {
    // No more calls are taken of a client that does not take its answers.
    if (!call.write(answerFrame.write(message))) call.pause();
  }
  const answer = collectForTurn<Answer>(sizeOf, (answers) => {
    running -= answers.length;
    if (isOver) return;
    write({ answers: answers.map(({ id, end }) => ({ id, ...end })) });
    endWhenDone();
  });
  function endWhenDone(): void {
    if (!isLast || isOver || running > 0 || queue.length > 0) return;
    finish();
    call.end();
  }
  function finish(): void {
    isOver = true;
    queue = [];
    onOver();
  }
  function begin({ id, method, request, timeoutMs }: StreamedCall): void {
    running += 1;
    const end = (how: CallEnd) => answer({ id, end: how });
    const serve = methods.get(method);
    if (isStopping) end({ code: status.UNAVAILABLE, details: refusedWhileStopping });
    else if (serve === undefined) end({ code: status.UNIMPLEMENTED, details: 'there is no such method' });
    else {
      const waits = timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs;
      void serve({ request: asBuffer(request), timeoutMs: waits, metadata: noMetadata, peer }, end);
    }
  }

  /** Begins with as many calls as one turn of the event loop may, and has the next turn go on. */
  function beginSome(): void {
    for (const one of queue.splice(0, frameLimits.maxBegun)) begin(one);
    if (queue.length > 0) setImmediate(beginSome);
    else if (!call.writableNeedDrain) call.resume();
    endWhenDone();
  }

  call.sendMetadata(new Metadata());
  call.on('data', (bytes: Buffer) => {
    if (isOver) return;
    const calls = readCalls(bytes);
    if (calls === undefined) {
      finish();
      call.emit('error', { code: status.INVALID_ARGUMENT, details: 'the message is none of calls, or has too many' });
      return;
    }
    const isIdle = queue.length === 0;
    queue.push(...calls);
    if (queue.length > frameLimits.maxBegun) call.pause();
    if (isIdle) setImmediate(beginSome);
  });
  call.on('drain', () => call.resume());
  call.on('end', () => {
    isLast = true;
    endWhenDone();
  });
  call.on('cancelled', finish);
  return {
    stop() {
      isStopping = true;
      // The client then sends no more and ends its side. Calls that cross this message are refused, not lost.
      write({ stopping: true });
    },
  };
}

/** The calls of a message, if they are within the limits. */
function readCalls(bytes: Buffer): readonly StreamedCall[] | undefined {
  if (bytes.length > frameLimits.maxBytes) return undefined;
  try {
    const { calls } = callFrame.read(bytes);
    return calls.length > frameLimits.maxItems ? undefined : calls;
  } catch {
    return undefined;
  }
}

function sizeOf({ end }: Answer): number {
  return end.code === status.OK ? end.response.length : end.details.length;
}
