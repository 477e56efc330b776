import { checkAddress } from '../http/check-address.ts';
import { createFetchSend, type Fetch } from '../http/fetch-send.ts';
import { defaultTimeoutMs } from '../http/http-limits.ts';
import { createNodeSend } from '../http/node-send.ts';
import { createManagementFetcher } from './management-fetcher.ts';
import { bindRoutes } from './management-routes.ts';

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

/** What the management actions take first: a way to the service, as one account. */
export type ManagementConnection = {
  /** For the actions alone: its type is that of a library, which no application has to know. */
  readonly routes: unknown;
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
