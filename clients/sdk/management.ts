/** What `@tollfree/sdk/management` gives: the management client. Nothing in it loads viem. */
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
