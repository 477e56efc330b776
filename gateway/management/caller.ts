import type { IncomingMessage } from 'node:http';
import type { Caller, Owned } from '../../core/domain/access/actor.ts';

/** What a request has shown: an authToken, or the session of a browser; and the apiKey where one paymaster is meant. */
export type Credentials = { readonly apiKey?: string } & (
  | { readonly authToken: string; readonly session?: never }
  | { readonly session: string; readonly authToken?: never }
);

const callers = new WeakMap<IncomingMessage, { readonly caller: Caller; readonly credentials: Credentials }>();

/** Called once a request's credentials are accepted. */
export function rememberCaller(request: IncomingMessage, caller: Caller, credentials: Credentials): void {
  callers.set(request, { caller, credentials });
}

function remembered(request: IncomingMessage) {
  const known = callers.get(request);
  if (known === undefined) {
    throw new Error('the route is not behind authentication');
  }
  return known;
}

/** Who sent a request that passed authentication. */
export function callerOf(request: IncomingMessage): Caller {
  return remembered(request).caller;
}

/** The same, or nothing of one who needed no credentials. */
export function findCaller(request: IncomingMessage): Caller | undefined {
  return callers.get(request)?.caller;
}

/** What it passed authentication with. */
export function credentialsOf(request: IncomingMessage): Credentials {
  return remembered(request).credentials;
}

/** The paymaster a request acts on: the one its apiKey names. */
export function ownedBy(request: IncomingMessage): Owned {
  const { accountId, paymasterId } = callerOf(request);
  if (paymasterId === undefined) {
    throw new Error('the route does not ask for an apiKey');
  }
  return { accountId, paymasterId };
}
