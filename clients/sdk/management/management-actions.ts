import { createFundingMessage } from './create-funding-message.ts';
import { createNotification } from './create-notification.ts';
import { createPaymaster } from './create-paymaster.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteNotification } from './delete-notification.ts';
import { deleteSmartContract } from './delete-smart-contract.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { explainSponsorship } from './explain-sponsorship.ts';
import { getDecision } from './get-decision.ts';
import { getUsage } from './get-usage.ts';
import { listDecisions } from './list-decisions.ts';
import { listGasTankEntries } from './list-gas-tank-entries.ts';
import { listNotificationDeliveries } from './list-notification-deliveries.ts';
import { listNotifications } from './list-notifications.ts';
import { listPaymasters } from './list-paymasters.ts';
import { listSmartContracts } from './list-smart-contracts.ts';
import { listWebhooks } from './list-webhooks.ts';
import type { ManagementConnection } from './management-connection.ts';
import { previewPolicy } from './preview-policy.ts';
import { readGasTank } from './read-gas-tank.ts';
import { readNotificationSecret } from './read-notification-secret.ts';
import { readPolicy } from './read-policy.ts';
import { readWebhookSecret } from './read-webhook-secret.ts';
import { redeliverNotification } from './redeliver-notification.ts';
import { registerSmartContract } from './register-smart-contract.ts';
import { rotateNotificationSecret } from './rotate-notification-secret.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { sendTestNotification } from './send-test-notification.ts';
import { setFundingWallet } from './set-funding-wallet.ts';
import { setPolicy } from './set-policy.ts';
import { updateNotification } from './update-notification.ts';
import { updateSmartContract } from './update-smart-contract.ts';
import { updateWebhook } from './update-webhook.ts';

type Rest<Action> = Action extends (client: ManagementConnection, ...rest: infer Rest) => unknown ? Rest : never;

/** An action whose client is already given. */
type Bound<Action extends (client: ManagementConnection, ...rest: never[]) => unknown> = (
  ...rest: Rest<Action>
) => ReturnType<Action>;

/** The management interface, one action per call. Each is documented at the function of the same name. */
export type ManagementActions = {
  readonly createPaymaster: Bound<typeof createPaymaster>;
  readonly listPaymasters: Bound<typeof listPaymasters>;
  readonly registerSmartContract: Bound<typeof registerSmartContract>;
  readonly listSmartContracts: Bound<typeof listSmartContracts>;
  readonly updateSmartContract: Bound<typeof updateSmartContract>;
  readonly deleteSmartContract: Bound<typeof deleteSmartContract>;
  readonly createWebhook: Bound<typeof createWebhook>;
  readonly listWebhooks: Bound<typeof listWebhooks>;
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
  readonly readGasTank: Bound<typeof readGasTank>;
  readonly listGasTankEntries: Bound<typeof listGasTankEntries>;
  readonly listDecisions: Bound<typeof listDecisions>;
  readonly getDecision: Bound<typeof getDecision>;
  readonly explainSponsorship: Bound<typeof explainSponsorship>;
  readonly getUsage: Bound<typeof getUsage>;
};

/** Collects the management actions for one client. */
export function managementActions(client: ManagementConnection): ManagementActions {
  return {
    createPaymaster: (...rest) => createPaymaster(client, ...rest),
    listPaymasters: (...rest) => listPaymasters(client, ...rest),
    registerSmartContract: (...rest) => registerSmartContract(client, ...rest),
    listSmartContracts: (...rest) => listSmartContracts(client, ...rest),
    updateSmartContract: (...rest) => updateSmartContract(client, ...rest),
    deleteSmartContract: (...rest) => deleteSmartContract(client, ...rest),
    createWebhook: (...rest) => createWebhook(client, ...rest),
    listWebhooks: (...rest) => listWebhooks(client, ...rest),
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
    readGasTank: (...rest) => readGasTank(client, ...rest),
    listGasTankEntries: (...rest) => listGasTankEntries(client, ...rest),
    listDecisions: (...rest) => listDecisions(client, ...rest),
    getDecision: (...rest) => getDecision(client, ...rest),
    explainSponsorship: (...rest) => explainSponsorship(client, ...rest),
    getUsage: (...rest) => getUsage(client, ...rest),
  };
}
