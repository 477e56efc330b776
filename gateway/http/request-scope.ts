import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** A request that is being answered. `fail` answers it with a fault, whatever it is waiting for. */
type RequestInHand = { readonly response: ServerResponse; fail(error: unknown): void };

/** Knows which requests a rejection that no one waits for may belong to. */
type RequestScope = {
  run(request: RequestInHand, work: () => void): void;
  close(): void;
};

/** How long after its end a request may still leave a rejected promise behind, in milliseconds. */
const lingerMs = 1_000;

/**
 * The request that the current work belongs to. Not used before the first rejection: before Node.js 24 one storage costs every
 * promise of the process, a fifth of a decision's processor time.
 */
const inHand = new AsyncLocalStorage<RequestInHand>();
let isAttributing = false;
/** Requests that are answered without that storage, and those that ended less than `lingerMs` ago. */
const unattributed = new Set<RequestInHand>();
let scopes = 0;

/**
 * The first rejection fails all requests in hand, since any may have caused it. Later requests are told apart: each fails for its own
 * rejections only. A rejection outside of any request stays what it is without us: the end of the process.
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
 * From now on a promise that is rejected unseen while requests are answered fails them, and not the process. Without this Node ends
 * it, for everybody it serves.
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
