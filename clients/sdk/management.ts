/**
 * What `@tollfree/sdk/management` gives: the management client, and each of its calls as a function of its own. Nothing in
 * it loads viem.
 */
export { createManagementClient, type ManagementClient } from './create-management-client.ts';

export { type CreateAuthTokenParameters, createAuthToken } from './management/account/create-auth-token.ts';
export { type ListAuditLogParameters, listAuditLog } from './management/account/list-audit-log.ts';
export { listAuthTokens } from './management/account/list-auth-tokens.ts';
export { listSessions } from './management/account/list-sessions.ts';
export { readSession } from './management/account/read-session.ts';
export { readSignUp } from './management/account/read-sign-up.ts';
export { revokeAllSessions } from './management/account/revoke-all-sessions.ts';
export { type RevokeAuthTokenParameters, revokeAuthToken } from './management/account/revoke-auth-token.ts';
export { type RevokeSessionParameters, revokeSession } from './management/account/revoke-session.ts';
export type { ApiKeyParameter } from './management/api-key-header.ts';
export type { BudgetParameters } from './management/budgets/budget-parameters.ts';
export { createBudget } from './management/budgets/create-budget.ts';
export { type DeleteBudgetParameters, deleteBudget } from './management/budgets/delete-budget.ts';
export { listBudgets } from './management/budgets/list-budgets.ts';
export { type ReplaceBudgetParameters, replaceBudget } from './management/budgets/replace-budget.ts';
export type { ContractChange } from './management/contracts/contract-change.ts';
export {
  type DeleteSmartContractParameters,
  deleteSmartContract,
} from './management/contracts/delete-smart-contract.ts';
export { type FetchContractAbiParameters, fetchContractAbi } from './management/contracts/fetch-contract-abi.ts';
export { listSmartContracts } from './management/contracts/list-smart-contracts.ts';
export {
  type RegisterSmartContractParameters,
  registerSmartContract,
} from './management/contracts/register-smart-contract.ts';
export {
  type UpdateSmartContractParameters,
  updateSmartContract,
} from './management/contracts/update-smart-contract.ts';
export { type ExplainSponsorshipParameters, explainSponsorship } from './management/decisions/explain-sponsorship.ts';
export { type GetDecisionParameters, getDecision } from './management/decisions/get-decision.ts';
export { type GetUsageParameters, getUsage } from './management/decisions/get-usage.ts';
export { type ListDecisionsParameters, listDecisions } from './management/decisions/list-decisions.ts';
export {
  type CreateFundingMessageParameters,
  createFundingMessage,
} from './management/funding/create-funding-message.ts';
export { type ListGasTankDaysParameters, listGasTankDays } from './management/funding/list-gas-tank-days.ts';
export { type ListGasTankEntriesParameters, listGasTankEntries } from './management/funding/list-gas-tank-entries.ts';
export { readGasTank } from './management/funding/read-gas-tank.ts';
export {
  type ReadGasTankStatementParameters,
  readGasTankStatement,
} from './management/funding/read-gas-tank-statement.ts';
export { type SetFundingWalletParameters, setFundingWallet } from './management/funding/set-funding-wallet.ts';
export {
  connectManagement,
  type ManagementConnection,
  type ManagementConnectionOptions,
} from './management/management-connection.ts';
export { type AddMemberParameters, addMember } from './management/members/add-member.ts';
export { changeMember } from './management/members/change-member.ts';
export { listMembers } from './management/members/list-members.ts';
export { type RemoveMemberParameters, removeMember } from './management/members/remove-member.ts';
export {
  type CreateNotificationParameters,
  createNotification,
} from './management/notifications/create-notification.ts';
export {
  type DeleteNotificationParameters,
  deleteNotification,
} from './management/notifications/delete-notification.ts';
export {
  type ListNotificationDeliveriesParameters,
  listNotificationDeliveries,
} from './management/notifications/list-notification-deliveries.ts';
export { listNotifications } from './management/notifications/list-notifications.ts';
export {
  type ReadNotificationSecretParameters,
  readNotificationSecret,
} from './management/notifications/read-notification-secret.ts';
export {
  type RedeliverNotificationParameters,
  redeliverNotification,
} from './management/notifications/redeliver-notification.ts';
export {
  type RotateNotificationSecretParameters,
  rotateNotificationSecret,
} from './management/notifications/rotate-notification-secret.ts';
export {
  type SendTestNotificationParameters,
  sendTestNotification,
} from './management/notifications/send-test-notification.ts';
export {
  type UpdateNotificationParameters,
  updateNotification,
} from './management/notifications/update-notification.ts';
export { type CreateApiKeyParameters, createApiKey } from './management/paymasters/create-api-key.ts';
export { type CreatePaymasterParameters, createPaymaster } from './management/paymasters/create-paymaster.ts';
export { type EndApiKeyParameters, endApiKey } from './management/paymasters/end-api-key.ts';
export { type ListApiKeysParameters, listApiKeys } from './management/paymasters/list-api-keys.ts';
export { listChains } from './management/paymasters/list-chains.ts';
export { listPaymasters } from './management/paymasters/list-paymasters.ts';
export { type RetirePaymasterParameters, retirePaymaster } from './management/paymasters/retire-paymaster.ts';
export { type RotateApiKeyParameters, rotateApiKey } from './management/paymasters/rotate-api-key.ts';
export { type UpdateApiKeyParameters, updateApiKey } from './management/paymasters/update-api-key.ts';
export { type UpdatePaymasterParameters, updatePaymaster } from './management/paymasters/update-paymaster.ts';
export { type CreatePolicyParameters, createPolicy } from './management/policies/create-policy.ts';
export { deletePolicy } from './management/policies/delete-policy.ts';
export { listPolicies } from './management/policies/list-policies.ts';
export { type PreviewPolicyParameters, previewPolicy } from './management/policies/preview-policy.ts';
export { type NamedPolicyParameters, readNamedPolicy } from './management/policies/read-named-policy.ts';
export { readPolicy } from './management/policies/read-policy.ts';
export { type ReplacePolicyParameters, replacePolicy } from './management/policies/replace-policy.ts';
export { type SetPolicyParameters, setPolicy } from './management/policies/set-policy.ts';
export { type CreateTicketKeyParameters, createTicketKey } from './management/tickets/create-ticket-key.ts';
export { type DeleteTicketKeyParameters, deleteTicketKey } from './management/tickets/delete-ticket-key.ts';
export { type ListTicketKeysParameters, listTicketKeys } from './management/tickets/list-ticket-keys.ts';
export { type CreateWebhookParameters, createWebhook } from './management/webhooks/create-webhook.ts';
export { type DeleteWebhookParameters, deleteWebhook } from './management/webhooks/delete-webhook.ts';
export {
  type ListAccountWebhooksParameters,
  listAccountWebhooks,
} from './management/webhooks/list-account-webhooks.ts';
export { type ListWebhookAnswersParameters, listWebhookAnswers } from './management/webhooks/list-webhook-answers.ts';
export { type ListWebhooksParameters, listWebhooks } from './management/webhooks/list-webhooks.ts';
export { type ReadWebhookSecretParameters, readWebhookSecret } from './management/webhooks/read-webhook-secret.ts';
export {
  type RotateWebhookSecretParameters,
  rotateWebhookSecret,
} from './management/webhooks/rotate-webhook-secret.ts';
export { type TestWebhookParameters, testWebhook } from './management/webhooks/test-webhook.ts';
export { type UpdateWebhookParameters, updateWebhook } from './management/webhooks/update-webhook.ts';
