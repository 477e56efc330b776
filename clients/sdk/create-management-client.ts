import { type ManagementActions, managementActions } from './management/management-actions.ts';
import {
  connectManagement,
  type ManagementConnection,
  type ManagementConnectionOptions,
} from './management/management-connection.ts';

export type ManagementClient = ManagementConnection & ManagementActions;

/**
 * A client of the management interface: paymasters, smart contracts, webhooks and the funding wallet.
 *
 * Actions reject with `TollfreeApiError` when the service refuses, with the service's own sentence, and with
 * `TransportError` when no answer of the service came.
 *
 * @example
 * const client = createManagementClient({ baseUrl: 'https://gas.example.org', authToken });
 * const { apiKey } = await client.createPaymaster({ name: 'shop', chainId: 137, version: '1.0.0' });
 * await client.registerSmartContract({ apiKey, name: 'token', address, abi, whitelistedMethods: ['transfer'] });
 */
export function createManagementClient(options: ManagementConnectionOptions): ManagementClient {
  const connection = connectManagement(options);
  return { ...connection, ...managementActions(connection) };
}
