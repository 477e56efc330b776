import { managementRouter } from '@tollfree/contract/router';
import { type ApiFetcherArgs, type InitClientReturn, initClient } from '@ts-rest/core';
import { checkAddress } from '../http/check-address.ts';
import { createFetchSend, type Fetch } from '../http/fetch-send.ts';
import { defaultTimeoutMs } from '../http/http-limits.ts';
import { createNodeSend } from '../http/node-send.ts';
import { createManagementFetcher, type GetBody } from './management-fetcher.ts';

export type ManagementConnectionOptions = {
  /** Address of the service, e.g. `https://gas.example.org`. */
  readonly baseUrl: string;
  /** authToken of the account. It authorises everything the account can do: keep it out of browsers. */
  readonly authToken: string;
  /** apiKey of the paymaster that calls act on, unless a call names another. */
  readonly apiKey?: string | undefined;
  /** Sends every request instead of the platform's own `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Longest wait for one answer, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
};

/** Named, so that the declarations do not spell out every route once more. */
type ManagementRoutes = InitClientReturn<typeof managementRouter, RouteArgs>;
type RouteArgs = {
  baseUrl: string;
  baseHeaders: { authtoken: string };
  api: (call: ApiFetcherArgs & GetBody) => ReturnType<ReturnType<typeof createManagementFetcher>>;
};

/** What the management actions take first: the contract's routes, bound to a service and an account. */
export type ManagementConnection = {
  readonly routes: ManagementRoutes;
  readonly apiKey: string | undefined;
};

/** Binds the contract's routes. Sends nothing. Throws a `TypeError` when `baseUrl` is not an http or https URL. */
export function connectManagement(options: ManagementConnectionOptions): ManagementConnection {
  const { baseUrl, authToken, apiKey, fetch, timeoutMs = defaultTimeoutMs } = options;
  checkAddress('baseUrl', baseUrl);
  const send = createFetchSend({ fetch, timeoutMs });
  const sendWithBody = fetch === undefined ? createNodeSend({ timeoutMs }) : undefined;
  const fetcher = createManagementFetcher({ send, sendWithBody });
  return { routes: bindRoutes({ baseUrl: baseUrl.replace(/\/+$/, ''), authToken, fetcher }), apiKey };
}

function bindRoutes(parts: {
  baseUrl: string;
  authToken: string;
  fetcher: ReturnType<typeof createManagementFetcher>;
}): ManagementRoutes {
  return initClient<typeof managementRouter, RouteArgs>(managementRouter, {
    baseUrl: parts.baseUrl,
    baseHeaders: { authtoken: parts.authToken },
    api: (call: ApiFetcherArgs & GetBody) => parts.fetcher(call),
  });
}
