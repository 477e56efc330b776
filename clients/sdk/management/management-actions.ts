import { createFundingMessage } from './create-funding-message.ts';
import { createPaymaster } from './create-paymaster.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteSmartContract } from './delete-smart-contract.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listGasTankEntries } from './list-gas-tank-entries.ts';
import { listPaymasters } from './list-paymasters.ts';
import { listSmartContracts } from './list-smart-contracts.ts';
import { listWebhooks } from './list-webhooks.ts';
import type { ManagementConnection } from './management-connection.ts';
import { readGasTank } from './read-gas-tank.ts';
import { readWebhookSecret } from './read-webhook-secret.ts';
import { registerSmartContract } from './register-smart-contract.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { setFundingWallet } from './set-funding-wallet.ts';
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
  readonly createFundingMessage: Bound<typeof createFundingMessage>;
  readonly setFundingWallet: Bound<typeof setFundingWallet>;
  readonly readGasTank: Bound<typeof readGasTank>;
  readonly listGasTankEntries: Bound<typeof listGasTankEntries>;
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
    createFundingMessage: (...rest) => createFundingMessage(client, ...rest),
    setFundingWallet: (...rest) => setFundingWallet(client, ...rest),
    readGasTank: (...rest) => readGasTank(client, ...rest),
    listGasTankEntries: (...rest) => listGasTankEntries(client, ...rest),
  };
}
