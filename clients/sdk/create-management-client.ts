import { checkAddress, createFetchSend, defaultTimeoutMs, type Fetch } from './http/fetch-send.ts';
import { createNodeSend } from './http/node-send.ts';
import { type ManagementActions, managementActions } from './management/management-actions.ts';

export type ManagementClientOptions = {
  /** Address of the service, e.g. `https://gas.example.org`. */
  readonly baseUrl: string;
  /** authToken of the account. It authorises everything the account can do: keep it out of browsers. */
  readonly authToken: string;
  /** apiKey of the paymaster that calls act on, unless a call names another. */
  readonly apiKey?: string | undefined;
  /** Sends requests instead of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Longest wait for one answer, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
};

export type ManagementClient = ManagementActions;

/**
 * A client of the management interface: paymasters, policies, smart contracts, webhooks, budgets, the gas tank. Each operation
 * takes its path parameters, query and body in one object. Sends nothing by itself. Throws a `TypeError` if `baseUrl` is not an
 * http or https URL.
 *
 * Operations reject with `TollfreeApiError` when the service refuses, with the service's own sentence, and with
 * `TransportError` when no answer of the service came.
 *
 * @example
 * const client = createManagementClient({ baseUrl: 'https://gas.example.org', authToken });
 * const { apiKey } = await client.createPaymaster({ name: 'shop', chainId: 137, version: '1.0.0' });
 * await client.registerSmartContract({ apiKey, name: 'token', address, abi, whitelistedMethods: ['transfer'] });
 */
export function createManagementClient(options: ManagementClientOptions): ManagementClient {
  const { baseUrl, authToken, apiKey, fetch, timeoutMs = defaultTimeoutMs } = options;
  checkAddress('baseUrl', baseUrl);
  return managementActions({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    authToken,
    apiKey,
    send: createFetchSend({ fetch, timeoutMs }),
    sendWithBody: fetch === undefined ? createNodeSend({ timeoutMs }) : undefined,
  });
}
