/// <reference path="./virtual-routes.d.ts" />
import { routes as listed } from 'virtual:routes';
import type { managementRouter } from '@tollfree/contract/router';
import { TollfreeApiError, TransportError } from '@tollfree/sdk';
import type { InitClientReturn } from '@ts-rest/core';

type Sent = {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

/**
 * One call; resolves to the data of its answer and rejects with the service's own sentence. The browser adds the session
 * cookie, which scripts cannot read.
 */
async function send(route: string, { headers, params = {}, query = {}, body }: Sent = {}) {
  const [method = 'GET', path = ''] = route.split(' ');
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const response = await fetch(path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? '')) + search, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    credentials: 'same-origin',
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new TransportError('The service could not be reached.', { failure: 'unreachable', cause });
  });
  const json: unknown = await response.json().catch(() => {
    const message = `The response (HTTP ${response.status}) does not come from the service.`;
    throw new TransportError(message, { failure: 'unexpected-answer', status: response.status });
  });
  const { data, ...envelope } = (typeof json === 'object' && json !== null ? json : {}) as Readonly<
    Record<string, unknown>
  >;
  if (response.status === 200) return data;
  const { status } = response;
  throw new TollfreeApiError({
    status,
    statusCode: typeof envelope.statusCode === 'number' ? envelope.statusCode : status,
    message: typeof envelope.message === 'string' ? envelope.message : `The service answered HTTP ${status}.`,
    retryAfter: Number(response.headers.get('retry-after')) || undefined,
  });
}

function clientOf(tree: typeof listed): unknown {
  const entries = Object.entries(tree).map(([name, each]) => [
    name,
    typeof each === 'string' ? (sent?: Sent) => send(each, sent) : clientOf(each),
  ]);
  return Object.fromEntries(entries);
}

type Client = InitClientReturn<typeof managementRouter, { baseUrl: string; baseHeaders: Record<string, never> }>;
type DataOf<Answer> =
  Extract<Answer, { status: 200 }> extends { body: infer Body extends { data?: unknown } } ? Body['data'] : never;
type Calls<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends (...sent: infer S) => Promise<infer Answer>
    ? (...sent: S) => Promise<DataOf<Answer>>
    : Calls<Tree[Name]>;
};

/** The management interface of the service that this page came from, as the contract describes it. */
export const routes = clientOf(listed) as Calls<Client>; // the build lists the same router
