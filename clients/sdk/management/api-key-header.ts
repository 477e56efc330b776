import type { ManagementConnection } from './management-connection.ts';

/** The paymaster a call acts on. */
export type ApiKeyParameter = {
  /** apiKey of the paymaster, instead of the client's own. */
  readonly apiKey?: string | undefined;
};

/** The apiKey header of a call. Throws a `TypeError` when neither the call nor the client has one. */
export function apiKeyHeader(client: ManagementConnection, parameters: ApiKeyParameter): { apikey: string } {
  const apiKey = parameters.apiKey ?? client.apiKey;
  if (apiKey === undefined) {
    throw new TypeError('This call acts on one paymaster: give its apiKey to the client or to the call.');
  }
  return { apikey: apiKey };
}
