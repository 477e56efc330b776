import { AsyncLocalStorage } from 'node:async_hooks';

/** A request that is being answered. `fail` answers it with a fault, whatever it is waiting for. */
type RequestInHand = { fail(error: unknown): void };

/** Knows which request a rejection that no one waits for belongs to. */
type RequestScope = {
  run(request: RequestInHand, work: () => void): void;
  close(): void;
};

const inHand = new AsyncLocalStorage<RequestInHand>();
let scopes = 0;

/** A rejection outside of any request stays what it is without us: the end of the process. */
function answerRejection(error: unknown): void {
  const request = inHand.getStore();
  if (request !== undefined) {
    request.fail(error);
  } else if (process.listenerCount('unhandledRejection') === 1) {
    throw error;
  }
}

/**
 * From now on a promise that is rejected unseen while a request is answered fails that request and nothing else.
 * Without this Node ends the process, for everybody it serves.
 */
export function openRequestScope(): RequestScope {
  scopes += 1;
  if (scopes === 1) process.on('unhandledRejection', answerRejection);
  return {
    run: (request, work) => inHand.run(request, work),
    close() {
      scopes -= 1;
      if (scopes === 0) process.off('unhandledRejection', answerRejection);
    },
  };
}
