import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { unaryMethod } from './bridge.ts';
import * as account from './messages/account-messages.ts';
import * as contract from './messages/contract-messages.ts';
import * as decision from './messages/decision-messages.ts';
import * as ledger from './messages/ledger-messages.ts';
import * as notification from './messages/notification-messages.ts';
import * as paymasterData from './messages/paymaster-data-messages.ts';
import * as paymaster from './messages/paymaster-messages.ts';
import * as policy from './messages/policy-messages.ts';
import { policyPreviewConverter } from './messages/policy-preview-messages.ts';
import * as sponsorship from './messages/sponsorship-messages.ts';
import * as tokenInformation from './messages/token-information-messages.ts';
import * as usage from './messages/usage-messages.ts';
import * as webhook from './messages/webhook-messages.ts';
import { type Operation, operation } from './operation.ts';
import type { Input, OperationName, Value } from './operation-types.ts';

/** Every operation of the core on the wire. */
export type Operations = { readonly [Name in OperationName]: Operation<Input<Name>, Value<Name>> };

const rpc = CoreService.method;

/**
 * The table that server and client work from: method of the service, converter of the input, converter of the value.
 * It lacks nothing: an operation of `Core` without a line here does not compile.
 */
export const operations: Operations = {
  createAccount: operation(unaryMethod(rpc.createAccount), account.createAccountInput, account.accountConverter),
  listAccounts: operation(unaryMethod(rpc.listAccounts), account.listAccountsInput, account.accountListConverter),
  issueAuthToken: operation(
    unaryMethod(rpc.issueAuthToken),
    account.issueAuthTokenInput,
    account.issuedAuthTokenConverter,
  ),
  listAuthTokens: operation(
    unaryMethod(rpc.listAuthTokens),
    account.listAuthTokensInput,
    account.authTokenRecordListConverter,
  ),
  revokeAuthToken: operation(
    unaryMethod(rpc.revokeAuthToken),
    account.revokeAuthTokenInput,
    account.authTokenRecordConverter,
  ),
  authenticate: operation(unaryMethod(rpc.authenticate), account.authenticateInput, account.callerConverter),

  createPaymaster: operation(
    unaryMethod(rpc.createPaymaster),
    paymaster.createPaymasterInput,
    paymaster.paymasterConverter,
  ),
  listPaymasters: operation(
    unaryMethod(rpc.listPaymasters),
    paymaster.listPaymastersInput,
    paymaster.paymasterListConverter,
  ),
  createFundingMessage: operation(
    unaryMethod(rpc.createFundingMessage),
    paymaster.createFundingMessageInput,
    paymaster.fundingMessageConverter,
  ),
  setFundingWallet: operation(
    unaryMethod(rpc.setFundingWallet),
    paymaster.setFundingWalletInput,
    paymaster.paymasterConverter,
  ),

  readPolicy: operation(unaryMethod(rpc.readPolicy), policy.readPolicyInput, policy.policyConverter),
  setPolicy: operation(unaryMethod(rpc.setPolicy), policy.setPolicyInput, policy.policyConverter),
  previewPolicy: operation(unaryMethod(rpc.previewPolicy), policy.previewPolicyInput, policyPreviewConverter),

  registerContract: operation(
    unaryMethod(rpc.registerContract),
    contract.registerContractInput,
    contract.contractConverter,
  ),
  listContracts: operation(unaryMethod(rpc.listContracts), contract.listContractsInput, contract.contractListConverter),
  updateContract: operation(unaryMethod(rpc.updateContract), contract.updateContractInput, contract.contractConverter),
  deleteContract: operation(unaryMethod(rpc.deleteContract), contract.deleteContractInput, contract.contractConverter),

  createWebhook: operation(unaryMethod(rpc.createWebhook), webhook.createWebhookInput, webhook.webhookConverter),
  listWebhooks: operation(unaryMethod(rpc.listWebhooks), webhook.listWebhooksInput, webhook.webhookListConverter),
  updateWebhook: operation(unaryMethod(rpc.updateWebhook), webhook.updateWebhookInput, webhook.webhookConverter),
  deleteWebhook: operation(unaryMethod(rpc.deleteWebhook), webhook.deleteWebhookInput, webhook.webhookConverter),
  readWebhookSecret: operation(
    unaryMethod(rpc.readWebhookSecret),
    webhook.readWebhookSecretInput,
    webhook.webhookSecretConverter,
  ),
  rotateWebhookSecret: operation(
    unaryMethod(rpc.rotateWebhookSecret),
    webhook.rotateWebhookSecretInput,
    webhook.webhookSecretConverter,
  ),

  createNotification: operation(
    unaryMethod(rpc.createNotification),
    notification.createNotificationInput,
    notification.notificationConverter,
  ),
  listNotifications: operation(
    unaryMethod(rpc.listNotifications),
    notification.listNotificationsInput,
    notification.notificationListConverter,
  ),
  updateNotification: operation(
    unaryMethod(rpc.updateNotification),
    notification.updateNotificationInput,
    notification.notificationConverter,
  ),
  deleteNotification: operation(
    unaryMethod(rpc.deleteNotification),
    notification.deleteNotificationInput,
    notification.notificationConverter,
  ),
  readNotificationSecret: operation(
    unaryMethod(rpc.readNotificationSecret),
    notification.readNotificationSecretInput,
    notification.notificationSecretConverter,
  ),
  rotateNotificationSecret: operation(
    unaryMethod(rpc.rotateNotificationSecret),
    notification.rotateNotificationSecretInput,
    notification.notificationSecretConverter,
  ),
  listNotificationDeliveries: operation(
    unaryMethod(rpc.listNotificationDeliveries),
    notification.listNotificationDeliveriesInput,
    notification.notificationDeliveryPageConverter,
  ),
  redeliverNotification: operation(
    unaryMethod(rpc.redeliverNotification),
    notification.redeliverNotificationInput,
    notification.notificationDeliveryConverter,
  ),
  sendTestNotification: operation(
    unaryMethod(rpc.sendTestNotification),
    notification.sendTestNotificationInput,
    notification.notificationDeliveryConverter,
  ),

  getFeeQuoteOrData: operation(
    unaryMethod(rpc.getFeeQuoteOrData),
    sponsorship.getFeeQuoteOrDataInput,
    sponsorship.feeQuoteOrDataConverter,
  ),
  sponsorUserOperation: operation(
    unaryMethod(rpc.sponsorUserOperation),
    sponsorship.sponsorUserOperationInput,
    sponsorship.signedPaymasterDataConverter,
  ),
  getPaymasterStubData: operation(
    unaryMethod(rpc.getPaymasterStubData),
    paymasterData.getPaymasterStubDataInput,
    paymasterData.paymasterStubConverter,
  ),
  getPaymasterData: operation(
    unaryMethod(rpc.getPaymasterData),
    paymasterData.getPaymasterDataInput,
    paymasterData.finalPaymasterDataConverter,
  ),
  quoteTokenRates: operation(
    unaryMethod(rpc.quoteTokenRates),
    tokenInformation.quoteTokenRatesInput,
    tokenInformation.tokenRateQuoteListConverter,
  ),
  listSupportedTokens: operation(
    unaryMethod(rpc.listSupportedTokens),
    tokenInformation.listSupportedTokensInput,
    tokenInformation.supportedTokenListConverter,
  ),
  listEntryPoints: operation(
    unaryMethod(rpc.listEntryPoints),
    tokenInformation.listEntryPointsInput,
    tokenInformation.entryPointListConverter,
  ),

  listDecisions: operation(unaryMethod(rpc.listDecisions), decision.listDecisionsInput, decision.decisionPageConverter),
  readDecision: operation(unaryMethod(rpc.readDecision), decision.readDecisionInput, decision.decisionConverter),
  explainSponsorship: operation(
    unaryMethod(rpc.explainSponsorship),
    decision.explainSponsorshipInput,
    decision.explanationConverter,
  ),
  readUsage: operation(unaryMethod(rpc.readUsage), usage.readUsageInput, usage.usageRowListConverter),

  readGasTank: operation(unaryMethod(rpc.readGasTank), ledger.readGasTankInput, ledger.gasTankConverter),
  listGasTankEntries: operation(
    unaryMethod(rpc.listGasTankEntries),
    ledger.listGasTankEntriesInput,
    ledger.gasTankEntryListConverter,
  ),
  adjustTank: operation(unaryMethod(rpc.adjustTank), ledger.adjustTankInput, ledger.gasTankConverter),
  checkLedger: operation(unaryMethod(rpc.checkLedger), ledger.checkLedgerInput, ledger.ledgerReportListConverter),
};
