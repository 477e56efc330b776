/** The exports of `@tollfree/sdk/management`: the management client. It does not load viem. */
export {
  createManagementClient,
  type ManagementClient,
  type ManagementClientOptions,
} from './create-management-client.ts';
export type {
  ApiKeyParameter,
  ContractChange,
  ManagementParameters,
  ManagementResult,
} from './management/management-actions.ts';
