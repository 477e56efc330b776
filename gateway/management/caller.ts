import type { IncomingMessage } from 'node:http';
import type { Caller, Owned } from '../../core/domain/access/actor.ts';

/** The credentials of a request: an authToken, or a browser's session; and the apiKey if it concerns one paymaster. */
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
  if (known === undefined) throw new Error('the route is not behind authentication');
  return known;
}

/** Who sent a request that passed authentication. */
export function callerOf(request: IncomingMessage): Caller {
  return remembered(request).caller;
}

/** The caller, or undefined for a request that needed no credentials. */
export function findCaller(request: IncomingMessage): Caller | undefined {
  return callers.get(request)?.caller;
}

/** The credentials that passed authentication. */
export function credentialsOf(request: IncomingMessage): Credentials {
  return remembered(request).credentials;
}

/** The paymaster a request acts on: that of its apiKey. */
export function ownedBy(request: IncomingMessage): Owned {
  const { accountId, paymasterId } = callerOf(request);
  if (paymasterId === undefined) throw new Error('the route does not ask for an apiKey');
  return { accountId, paymasterId };
}
