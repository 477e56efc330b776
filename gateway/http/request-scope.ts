import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request being answered. `fail` answers it with a fault, whatever it is waiting for. */
type RequestInHand = { readonly response: ServerResponse; fail(error: unknown): void };

/** Attributes unhandled rejections to the requests that may have caused them. */
type RequestScope = {
  run(request: RequestInHand, work: () => void): void;
  close(): void;
};

/** How long after its end a request may still cause an unhandled rejection, in milliseconds. */
const lingerMs = 1_000;

/**
 * The request being answered. Unused until the first unhandled rejection: before Node.js 24, a storage in use adds cost to every
 * promise of the process.
 */
const inHand = new AsyncLocalStorage<RequestInHand>();
let isAttributing = false;
/** Requests answered without that storage, including those that ended less than `lingerMs` ago. */
const unattributed = new Set<RequestInHand>();
let scopes = 0;

/**
 * The first rejection fails all open requests, because any of them may have caused it. Requests that begin later are told apart:
 * each fails only for its own rejections. A rejection outside any request keeps its default effect: it ends the process.
 */
function answerRejection(error: unknown): void {
  const request = inHand.getStore();
  if (request !== undefined) {
    request.fail(error);
  } else if (unattributed.size > 0) {
    isAttributing = true;
    for (const one of unattributed) one.fail(error);
  } else if (process.listenerCount('unhandledRejection') === 1) {
    throw error;
  }
}

function runUnattributed(request: RequestInHand, work: () => void): void {
  unattributed.add(request);
  request.response.once('close', () => {
    setTimeout(() => unattributed.delete(request), lingerMs).unref();
  });
  work();
}

/**
 * From now on, an unhandled rejection while answering requests fails those requests. Otherwise Node would end the process for all
 * clients.
 */
export function openRequestScope(): RequestScope {
  scopes += 1;
  if (scopes === 1) process.on('unhandledRejection', answerRejection);
  return {
    run: (request, work) => (isAttributing ? inHand.run(request, work) : runUnattributed(request, work)),
    close() {
      scopes -= 1;
      if (scopes === 0) process.off('unhandledRejection', answerRejection);
    },
  };
}

const plausible = /^[A-Za-z0-9._-]{1,64}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** The request's id: the caller's x-request-id if it is harmless, else a new uuid. Stable for a request. */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && plausible.test(sent) ? sent : randomUUID();
  ids.set(request, id);
  return id;
}
