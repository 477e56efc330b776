import { AsyncLocalStorage } from 'node:async_hooks';

/** A request being answered. `fail` answers it with a fault, whatever it is waiting for. */
type RequestInHand = { fail(error: unknown): void };

/** Attributes unhandled rejections to the request that caused them. */
type RequestScope = {
  run(request: RequestInHand, work: () => void): void;
  close(): void;
};

const inHand = new AsyncLocalStorage<RequestInHand>();
let scopes = 0;

/** A rejection outside any request keeps its default effect: it ends the process. */
function answerRejection(error: unknown): void {
  const request = inHand.getStore();
  if (request !== undefined) {
    request.fail(error);
  } else if (process.listenerCount('unhandledRejection') === 1) {
    throw error;
  }
}

/**
 * From now on, an unhandled rejection while answering a request only fails that request. Otherwise Node would end the
 * process for all clients.
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
