import { type Client, type ClientDuplexStream, type Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { asBuffer } from '../bridge.ts';
import type { CallEnd } from '../call-runner.ts';
import { callStreamLimits } from '../grpc-limits.ts';
import {
  answerFrame,
  callFrame,
  collectForTurn,
  exchangeMethod,
  frameLimits,
  refusedWhileStopping,
} from './call-frames.ts';

type Frames = ClientDuplexStream<Buffer, Buffer>;

type OutgoingCall = {
  readonly id: number;
  readonly method: string;
  readonly request: Buffer;
  readonly endsAt: number;
};

/** Calls that travel together, many in one message. */
export type CallStream = {
  /**
   * Sends a call with the others of this turn of the event loop. Returns what gives it up, or nothing if it has to be sent on
   * its own: the server has no such streams, or none is open now, or the call is too long, or too many wait.
   */
  send(call: { method: string; request: Buffer; deadlineMs: number }, onEnd: OnEnd): (() => void) | undefined;
  close(): void;
};

/**
 * Opens a stream with the first call, and again when it is lost. It carries calls once the server has shown that it has such
 * streams. When it ends, calls that were sent on it are UNAVAILABLE: the server may have begun with them.
 */
export function openCallStream(client: Client, metadata: Metadata): CallStream {
  const waiting = keepCalls();
  let frames: Frames | undefined;
  let isReady = false;
  let openedAt = Number.NEGATIVE_INFINITY;

  function open(): void {
    const now = performance.now();
    if (frames !== undefined || now - openedAt < callStreamLimits.betweenOpeningsMs) return;
    openedAt = now;
    const { path, requestSerialize, responseDeserialize } = exchangeMethod;
    const opened = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    frames = opened;
    opened.on('metadata', () => {
      isReady = true;
    });
    opened.on('data', (bytes: Buffer) => {
      try {
        if (!takeAnswers(bytes, waiting)) return;
        opened.end();
      } catch {
        // Of a server that sends something else nothing more is read.
        opened.cancel();
      }
      isReady = false;
    });
    opened.on('error', () => undefined);
    opened.on('status', ({ details }: StatusObject) => {
      frames = undefined;
      isReady = false;
      waiting.lose(`the stream ended: ${details}`);
    });
  }

  // As with a unary call, the server goes on with what it has begun, and its answer is no one's.
  const giveUp = (id: number, code: Failure['code']) => waiting.end(id, { code, details: 'the client waits no more' });
  const sendCall = collectForTurn<OutgoingCall>(
    ({ request }) => request.length,
    (calls) => {
      if (!isReady) {
        for (const { id } of calls) waiting.end(id, { code: status.UNAVAILABLE, details: refusedWhileStopping });
        return;
      }
      const now = performance.now();
      const sent = calls.filter(({ id }) => waiting.noteSent(id));
      const wire = sent.map(({ endsAt, ...call }) => ({ ...call, timeoutMs: Math.max(Math.round(endsAt - now), 1) }));
      if (wire.length > 0) frames?.write(callFrame.write({ calls: wire }));
    },
  );

  return {
    send({ method, request, deadlineMs }, onEnd) {
      open();
      const isBehind = (frames?.writableLength ?? 0) > callStreamLimits.maxUnsentMessages;
      if (!isReady || isBehind || waiting.count() >= callStreamLimits.maxWaiting) return undefined;
      if (request.length > frameLimits.maxRequestBytes) return undefined;
      const id = waiting.add(onEnd, deadlineMs, () => giveUp(id, status.DEADLINE_EXCEEDED));
      sendCall({ id, method, request, endsAt: performance.now() + deadlineMs });
      return () => giveUp(id, status.CANCELLED);
    },
    close() {
      isReady = false;
      frames?.end();
    },
  };
}

/** Ends the calls that a message answers. Returns whether the server begins with no more calls. */
function takeAnswers(bytes: Buffer, waiting: WaitingCalls): boolean {
  const { answers, stopping } = answerFrame.read(bytes);
  for (const { id, code, details, response } of answers) {
    if (code === status.OK) waiting.end(id, { code, response: asBuffer(response) });
    else waiting.end(id, { code, details });
  }
  return stopping;
}

type Failure = Exclude<CallEnd, { readonly response: Buffer }>;
type OnEnd = (end: CallEnd) => void;
type WaitingCall = { readonly onEnd: OnEnd; readonly timer: NodeJS.Timeout; isSent: boolean };
type WaitingCalls = ReturnType<typeof keepCalls>;

/** Calls without an answer, each of which ends once. */
function keepCalls() {
  const calls = new Map<number, WaitingCall>();
  let lastId = 0;
  function end(id: number, how: CallEnd): void {
    const call = calls.get(id);
    if (call === undefined) return;
    calls.delete(id);
    clearTimeout(call.timer);
    call.onEnd(how);
  }
  return {
    count: () => calls.size,
    add(onEnd: OnEnd, deadlineMs: number, onLate: () => void): number {
      lastId = (lastId + 1) >>> 0;
      calls.set(lastId, { onEnd, timer: setTimeout(onLate, deadlineMs), isSent: false });
      return lastId;
    },
    /** Returns false if no one waits for the call any more. */
    noteSent(id: number): boolean {
      const call = calls.get(id);
      if (call !== undefined) call.isSent = true;
      return call !== undefined;
    },
    end,
    /** Ends the calls that were sent. */
    lose(details: string): void {
      for (const [id, { isSent }] of calls) if (isSent) end(id, { code: status.UNAVAILABLE, details });
    },
  };
}
