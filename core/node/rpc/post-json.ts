import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher, errors, interceptors } from 'undici';

/** Most informational answers (1xx) before the final one. Honest servers send one or two (100, 103). */
export const maxInformationalAnswers = 8;

/** A server sends informational answers without end. Each costs us work, and no time-out counts them. */
export class InformationalFloodError extends Error {
  override readonly name = 'InformationalFloodError';
  readonly code = 'INFORMATIONAL_FLOOD';

  constructor() {
    super(`answered more than ${maxInformationalAnswers} times with a status below 200`);
  }
}

/** Ends a request and its connection when the server sends too many informational answers. */
export const boundInformational: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let informational = 0;
  return dispatch(options, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (controller, statusCode, headers, statusMessage) => {
      if (statusCode < 200) {
        informational += 1;
        if (informational > maxInformationalAnswers) controller.abort(new InformationalFloodError());
        return;
      }
      handler.onResponseStart?.(controller, statusCode, headers, statusMessage);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  });
};

/** Most bytes of an answer: two thousand events with their data are below. */
export const maxAnswerBytes = 10 * 1024 * 1024;
/** A provider may have moved its address; more redirections than this are a loop. */
const maxRedirections = 3;

/**
 * How long an idle connection is kept, in milliseconds, unless the server sets another time. It is longer than the polling
 * interval of a chain, which would otherwise need a handshake for every question. Servers mostly keep connections for a
 * minute.
 */
const keptMs = 30_000;

const agent = new Agent({ maxResponseSize: maxAnswerBytes, keepAliveTimeout: keptMs });
const dispatcher = agent.compose(boundInformational, interceptors.redirect({ maxRedirections }));
const unzip = promisify(gunzip);

/** A complete answer. */
export type PostedAnswer = { readonly status: number; readonly statusText: string; readonly text: string };

/** A question that was sent. */
export type Posted = {
  /** Rejects like undici, and with the reason of `abort`. */
  readonly answer: Promise<PostedAnswer>;
  /** Cancels the question. No effect once the answer is complete. */
  abort(reason: unknown): void;
};

/** The servers that are asked. Parsing the URL of each question would take a percent of the CPU time. */
const targets = new LRUCache<string, { readonly origin: string; readonly path: string }>({
  max: 1_000,
  memoMethod: (url) => {
    const { origin, pathname, search } = new URL(url);
    return { origin, path: `${pathname}${search}` };
  },
});

/** An answer while it is received. */
type Received = {
  status: number;
  statusText: string;
  isZipped: boolean;
  bytes: number;
  readonly maxBytes: number;
  readonly chunks: Buffer[];
};

/**
 * Sends JSON to a node or bundler over plain HTTP on kept connections. Every decision uses this; `fetch` and the streams of
 * `request` are several times slower.
 */
export function postJson(
  url: string,
  json: string | Buffer,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    /** Called when the answer begins. */
    readonly onBegin: () => void;
    /** Most bytes of the answer, before and after decompression; {@link maxAnswerBytes} when absent. */
    readonly maxBytes?: number | undefined;
  },
): Posted {
  let abort: Posted['abort'] = () => undefined;
  const received = new Promise<Received>((resolve, reject) => {
    let isOver = false;
    let controller: Dispatcher.DispatchController | undefined;
    const end = (settle: () => void) => {
      isOver = true;
      settle();
    };
    abort = (reason) => {
      if (isOver) return;
      end(() => reject(reason));
      controller?.abort(asError(reason));
    };
    const { maxBytes = maxAnswerBytes } = options;
    const answer: Received = { status: 0, statusText: '', isZipped: false, bytes: 0, maxBytes, chunks: [] };
    const question = { method: 'POST', body: json, ...targets.memo(url), ...patience } as const;
    const send = (onError: (error: Error) => void) =>
      dispatcher.dispatch(
        { ...question, headers: { ...ownHeaders, ...options.headers } },
        {
          onRequestStart: (started) => {
            controller = started;
            if (isOver) started.abort(noLongerWanted);
          },
          onResponseStart: (_, status, headers, statusText = '') => {
            Object.assign(answer, { status, statusText, isZipped: headers['content-encoding'] === 'gzip' });
            if (!isOver) options.onBegin();
          },
          onResponseData: (_, chunk) => {
            answer.bytes += chunk.length;
            if (answer.bytes > maxBytes) abort(tooLarge);
            else answer.chunks.push(chunk);
          },
          onResponseEnd: () => end(() => resolve(answer)),
          onResponseError: (_, error) => onError(error),
        },
      );
    const fail = (error: Error) => end(() => reject(error));
    // The first try may have arrived, so the second error does not prove that nothing was sent.
    const failAgain = (first: Error) => (error: Error) => {
      error.cause ??= first;
      fail(error);
    };
    send((error) =>
      !isOver && answer.status === 0 && wasKeptTooLong(error) ? void send(failAgain(error)) : fail(error),
    );
  });
  return { answer: received.then(readAnswer), abort: (reason) => abort(reason) };
}

/**
 * Whether the other side closed a connection that had answered before: some silently close idle ones while the question is
 * on its way. A retry is safe: repeating a question to a node or bundler changes nothing.
 */
function wasKeptTooLong(error: Error): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}

const ownHeaders = { 'content-type': 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'tollfree' } as const;
/** Some servers prepend it, but JSON does not allow it. */
const byteOrderMark = '\ufeff';
/** The caller sets the time limits. */
const patience = { headersTimeout: 0, bodyTimeout: 0 } as const;
/** Created once: every new error would capture a stack. */
const noLongerWanted = new Error('The caller no longer waits for the answer.');
const tooLarge = new Error('The answer is too large.');

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : noLongerWanted;
}

async function readAnswer({ status, statusText, isZipped, maxBytes, chunks }: Received): Promise<PostedAnswer> {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  const unzipped = isZipped ? await unzip(bytes, { maxOutputLength: maxBytes }) : bytes;
  const text = unzipped.toString('utf8');
  return { status, statusText, text: text.startsWith(byteOrderMark) ? text.slice(1) : text };
}
