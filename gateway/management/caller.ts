import type { IncomingMessage } from 'node:http';
import type { Caller, Owned } from '../../core/domain/core.ts';

const callers = new WeakMap<IncomingMessage, Caller>();

/** Called once a request's credentials are accepted. */
export function rememberCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

/** Who sent a request that passed authentication. */
export function callerOf(request: IncomingMessage): Caller {
  const caller = callers.get(request);
  if (caller === undefined) {
    throw new Error('the route is not behind authentication');
  }
  return caller;
}

/** The paymaster a request acts on: the one its apiKey names. */
export function ownedBy(request: IncomingMessage): Owned {
  const { accountId, paymasterId } = callerOf(request);
  if (paymasterId === undefined) {
    throw new Error('the route does not ask for an apiKey');
  }
  return { accountId, paymasterId };
}
