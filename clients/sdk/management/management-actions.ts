import { createAuthToken } from './account/create-auth-token.ts';
import { listAuditLog } from './account/list-audit-log.ts';
import { listAuthTokens } from './account/list-auth-tokens.ts';
import { listSessions } from './account/list-sessions.ts';
import { readSession } from './account/read-session.ts';
import { readSignUp } from './account/read-sign-up.ts';
import { revokeAllSessions } from './account/revoke-all-sessions.ts';
import { revokeAuthToken } from './account/revoke-auth-token.ts';
import { revokeSession } from './account/revoke-session.ts';
import { createBudget } from './budgets/create-budget.ts';
import { deleteBudget } from './budgets/delete-budget.ts';
import { listBudgets } from './budgets/list-budgets.ts';
import { replaceBudget } from './budgets/replace-budget.ts';
import { deleteSmartContract } from './contracts/delete-smart-contract.ts';
import { fetchContractAbi } from './contracts/fetch-contract-abi.ts';
import { listSmartContracts } from './contracts/list-smart-contracts.ts';
import { registerSmartContract } from './contracts/register-smart-contract.ts';
import { updateSmartContract } from './contracts/update-smart-contract.ts';
import { explainSponsorship } from './decisions/explain-sponsorship.ts';
import { getDecision } from './decisions/get-decision.ts';
import { getUsage } from './decisions/get-usage.ts';
import { listDecisions } from './decisions/list-decisions.ts';
import { createFundingMessage } from './funding/create-funding-message.ts';
import { listGasTankDays } from './funding/list-gas-tank-days.ts';
import { listGasTankEntries } from './funding/list-gas-tank-entries.ts';
import { readGasTank } from './funding/read-gas-tank.ts';
import { readGasTankStatement } from './funding/read-gas-tank-statement.ts';
import { setFundingWallet } from './funding/set-funding-wallet.ts';
import type { ManagementConnection } from './management-connection.ts';
import { addMember } from './members/add-member.ts';
import { changeMember } from './members/change-member.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { createNotification } from './notifications/create-notification.ts';
import { deleteNotification } from './notifications/delete-notification.ts';
import { listNotificationDeliveries } from './notifications/list-notification-deliveries.ts';
import { listNotifications } from './notifications/list-notifications.ts';
import { readNotificationSecret } from './notifications/read-notification-secret.ts';
import { redeliverNotification } from './notifications/redeliver-notification.ts';
import { rotateNotificationSecret } from './notifications/rotate-notification-secret.ts';
import { sendTestNotification } from './notifications/send-test-notification.ts';
import { updateNotification } from './notifications/update-notification.ts';
import { createApiKey } from './paymasters/create-api-key.ts';
import { createPaymaster } from './paymasters/create-paymaster.ts';
import { endApiKey } from './paymasters/end-api-key.ts';
import { listApiKeys } from './paymasters/list-api-keys.ts';
import { listChains } from './paymasters/list-chains.ts';
import { listPaymasters } from './paymasters/list-paymasters.ts';
import { retirePaymaster } from './paymasters/retire-paymaster.ts';
import { rotateApiKey } from './paymasters/rotate-api-key.ts';
import { updateApiKey } from './paymasters/update-api-key.ts';
import { updatePaymaster } from './paymasters/update-paymaster.ts';
import { createPolicy } from './policies/create-policy.ts';
import { deletePolicy } from './policies/delete-policy.ts';
import { listPolicies } from './policies/list-policies.ts';
import { previewPolicy } from './policies/preview-policy.ts';
import { readNamedPolicy } from './policies/read-named-policy.ts';
import { readPolicy } from './policies/read-policy.ts';
import { replacePolicy } from './policies/replace-policy.ts';
import { setPolicy } from './policies/set-policy.ts';
import { createTicketKey } from './tickets/create-ticket-key.ts';
import { deleteTicketKey } from './tickets/delete-ticket-key.ts';
import { listTicketKeys } from './tickets/list-ticket-keys.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { listAccountWebhooks } from './webhooks/list-account-webhooks.ts';
import { listWebhookAnswers } from './webhooks/list-webhook-answers.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { readWebhookSecret } from './webhooks/read-webhook-secret.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

type Rest<Action> = Action extends (client: ManagementConnection, ...rest: infer Rest) => unknown ? Rest : never;

/** An action whose client is already given. */
type Bound<Action extends (client: ManagementConnection, ...rest: never[]) => unknown> = (
  ...rest: Rest<Action>
) => ReturnType<Action>;

/** The management interface, one action per call. Each is documented at the function of the same name. */
export type ManagementActions = {
  readonly createPaymaster: Bound<typeof createPaymaster>;
  readonly listPaymasters: Bound<typeof listPaymasters>;
  readonly listChains: Bound<typeof listChains>;
  readonly updatePaymaster: Bound<typeof updatePaymaster>;
  readonly retirePaymaster: Bound<typeof retirePaymaster>;
  readonly listApiKeys: Bound<typeof listApiKeys>;
  readonly createApiKey: Bound<typeof createApiKey>;
  readonly updateApiKey: Bound<typeof updateApiKey>;
  readonly rotateApiKey: Bound<typeof rotateApiKey>;
  readonly endApiKey: Bound<typeof endApiKey>;
  readonly registerSmartContract: Bound<typeof registerSmartContract>;
  readonly fetchContractAbi: Bound<typeof fetchContractAbi>;
  readonly listSmartContracts: Bound<typeof listSmartContracts>;
  readonly updateSmartContract: Bound<typeof updateSmartContract>;
  readonly deleteSmartContract: Bound<typeof deleteSmartContract>;
  readonly createTicketKey: Bound<typeof createTicketKey>;
  readonly listTicketKeys: Bound<typeof listTicketKeys>;
  readonly deleteTicketKey: Bound<typeof deleteTicketKey>;
  readonly createWebhook: Bound<typeof createWebhook>;
  readonly listWebhooks: Bound<typeof listWebhooks>;
  readonly listAccountWebhooks: Bound<typeof listAccountWebhooks>;
  readonly testWebhook: Bound<typeof testWebhook>;
  readonly listWebhookAnswers: Bound<typeof listWebhookAnswers>;
  readonly updateWebhook: Bound<typeof updateWebhook>;
  readonly deleteWebhook: Bound<typeof deleteWebhook>;
  readonly readWebhookSecret: Bound<typeof readWebhookSecret>;
  readonly rotateWebhookSecret: Bound<typeof rotateWebhookSecret>;
  readonly createNotification: Bound<typeof createNotification>;
  readonly listNotifications: Bound<typeof listNotifications>;
  readonly updateNotification: Bound<typeof updateNotification>;
  readonly deleteNotification: Bound<typeof deleteNotification>;
  readonly readNotificationSecret: Bound<typeof readNotificationSecret>;
  readonly rotateNotificationSecret: Bound<typeof rotateNotificationSecret>;
  readonly listNotificationDeliveries: Bound<typeof listNotificationDeliveries>;
  readonly redeliverNotification: Bound<typeof redeliverNotification>;
  readonly sendTestNotification: Bound<typeof sendTestNotification>;
  readonly createFundingMessage: Bound<typeof createFundingMessage>;
  readonly setFundingWallet: Bound<typeof setFundingWallet>;
  readonly readPolicy: Bound<typeof readPolicy>;
  readonly setPolicy: Bound<typeof setPolicy>;
  readonly previewPolicy: Bound<typeof previewPolicy>;
  readonly createPolicy: Bound<typeof createPolicy>;
  readonly listPolicies: Bound<typeof listPolicies>;
  readonly readNamedPolicy: Bound<typeof readNamedPolicy>;
  readonly replacePolicy: Bound<typeof replacePolicy>;
  readonly deletePolicy: Bound<typeof deletePolicy>;
  readonly readGasTank: Bound<typeof readGasTank>;
  readonly listGasTankEntries: Bound<typeof listGasTankEntries>;
  readonly listGasTankDays: Bound<typeof listGasTankDays>;
  readonly readGasTankStatement: Bound<typeof readGasTankStatement>;
  readonly listDecisions: Bound<typeof listDecisions>;
  readonly getDecision: Bound<typeof getDecision>;
  readonly explainSponsorship: Bound<typeof explainSponsorship>;
  readonly getUsage: Bound<typeof getUsage>;
  readonly createAuthToken: Bound<typeof createAuthToken>;
  readonly listAuditLog: Bound<typeof listAuditLog>;
  readonly listAuthTokens: Bound<typeof listAuthTokens>;
  readonly revokeAuthToken: Bound<typeof revokeAuthToken>;
  readonly listBudgets: Bound<typeof listBudgets>;
  readonly createBudget: Bound<typeof createBudget>;
  readonly replaceBudget: Bound<typeof replaceBudget>;
  readonly deleteBudget: Bound<typeof deleteBudget>;
  readonly listMembers: Bound<typeof listMembers>;
  readonly addMember: Bound<typeof addMember>;
  readonly changeMember: Bound<typeof changeMember>;
  readonly removeMember: Bound<typeof removeMember>;
  readonly readSession: Bound<typeof readSession>;
  readonly readSignUp: Bound<typeof readSignUp>;
  readonly listSessions: Bound<typeof listSessions>;
  readonly revokeSession: Bound<typeof revokeSession>;
  readonly revokeAllSessions: Bound<typeof revokeAllSessions>;
};

/** Collects the management actions for one client. */
export function managementActions(client: ManagementConnection): ManagementActions {
  return {
    createPaymaster: (...rest) => createPaymaster(client, ...rest),
    listPaymasters: (...rest) => listPaymasters(client, ...rest),
    listChains: (...rest) => listChains(client, ...rest),
    updatePaymaster: (...rest) => updatePaymaster(client, ...rest),
    retirePaymaster: (...rest) => retirePaymaster(client, ...rest),
    listApiKeys: (...rest) => listApiKeys(client, ...rest),
    createApiKey: (...rest) => createApiKey(client, ...rest),
    updateApiKey: (...rest) => updateApiKey(client, ...rest),
    rotateApiKey: (...rest) => rotateApiKey(client, ...rest),
    endApiKey: (...rest) => endApiKey(client, ...rest),
    registerSmartContract: (...rest) => registerSmartContract(client, ...rest),
    fetchContractAbi: (...rest) => fetchContractAbi(client, ...rest),
    listSmartContracts: (...rest) => listSmartContracts(client, ...rest),
    updateSmartContract: (...rest) => updateSmartContract(client, ...rest),
    deleteSmartContract: (...rest) => deleteSmartContract(client, ...rest),
    createTicketKey: (...rest) => createTicketKey(client, ...rest),
    listTicketKeys: (...rest) => listTicketKeys(client, ...rest),
    deleteTicketKey: (...rest) => deleteTicketKey(client, ...rest),
    createWebhook: (...rest) => createWebhook(client, ...rest),
    listWebhooks: (...rest) => listWebhooks(client, ...rest),
    listAccountWebhooks: (...rest) => listAccountWebhooks(client, ...rest),
    testWebhook: (...rest) => testWebhook(client, ...rest),
    listWebhookAnswers: (...rest) => listWebhookAnswers(client, ...rest),
    updateWebhook: (...rest) => updateWebhook(client, ...rest),
    deleteWebhook: (...rest) => deleteWebhook(client, ...rest),
    readWebhookSecret: (...rest) => readWebhookSecret(client, ...rest),
    rotateWebhookSecret: (...rest) => rotateWebhookSecret(client, ...rest),
    createNotification: (...rest) => createNotification(client, ...rest),
    listNotifications: (...rest) => listNotifications(client, ...rest),
    updateNotification: (...rest) => updateNotification(client, ...rest),
    deleteNotification: (...rest) => deleteNotification(client, ...rest),
    readNotificationSecret: (...rest) => readNotificationSecret(client, ...rest),
    rotateNotificationSecret: (...rest) => rotateNotificationSecret(client, ...rest),
    listNotificationDeliveries: (...rest) => listNotificationDeliveries(client, ...rest),
    redeliverNotification: (...rest) => redeliverNotification(client, ...rest),
    sendTestNotification: (...rest) => sendTestNotification(client, ...rest),
    createFundingMessage: (...rest) => createFundingMessage(client, ...rest),
    setFundingWallet: (...rest) => setFundingWallet(client, ...rest),
    readPolicy: (...rest) => readPolicy(client, ...rest),
    setPolicy: (...rest) => setPolicy(client, ...rest),
    previewPolicy: (...rest) => previewPolicy(client, ...rest),
    createPolicy: (...rest) => createPolicy(client, ...rest),
    listPolicies: (...rest) => listPolicies(client, ...rest),
    readNamedPolicy: (...rest) => readNamedPolicy(client, ...rest),
    replacePolicy: (...rest) => replacePolicy(client, ...rest),
    deletePolicy: (...rest) => deletePolicy(client, ...rest),
    readGasTank: (...rest) => readGasTank(client, ...rest),
    listGasTankEntries: (...rest) => listGasTankEntries(client, ...rest),
    listGasTankDays: (...rest) => listGasTankDays(client, ...rest),
    readGasTankStatement: (...rest) => readGasTankStatement(client, ...rest),
    listDecisions: (...rest) => listDecisions(client, ...rest),
    getDecision: (...rest) => getDecision(client, ...rest),
    explainSponsorship: (...rest) => explainSponsorship(client, ...rest),
    getUsage: (...rest) => getUsage(client, ...rest),
    createAuthToken: (...rest) => createAuthToken(client, ...rest),
    listAuditLog: (...rest) => listAuditLog(client, ...rest),
    listAuthTokens: (...rest) => listAuthTokens(client, ...rest),
    revokeAuthToken: (...rest) => revokeAuthToken(client, ...rest),
    listBudgets: (...rest) => listBudgets(client, ...rest),
    createBudget: (...rest) => createBudget(client, ...rest),
    replaceBudget: (...rest) => replaceBudget(client, ...rest),
    deleteBudget: (...rest) => deleteBudget(client, ...rest),
    listMembers: (...rest) => listMembers(client, ...rest),
    addMember: (...rest) => addMember(client, ...rest),
    changeMember: (...rest) => changeMember(client, ...rest),
    removeMember: (...rest) => removeMember(client, ...rest),
    readSession: (...rest) => readSession(client, ...rest),
    readSignUp: (...rest) => readSignUp(client, ...rest),
    listSessions: (...rest) => listSessions(client, ...rest),
    revokeSession: (...rest) => revokeSession(client, ...rest),
    revokeAllSessions: (...rest) => revokeAllSessions(client, ...rest),
  };
}
