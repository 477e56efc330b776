import { decisionMethods } from '../domain/decision.ts';
import { tankAdjustmentKinds } from '../domain/gas-tank.ts';
import { usageDimensions } from '../domain/usage.ts';
import { chainId } from './codec/chain-id.ts';
import { count } from './codec/count.ts';
import { decimal } from './codec/decimal.ts';
import { hex } from './codec/hex.ts';
import { oneOf } from './codec/one-of.ts';
import { absentAs, required } from './codec/presence.ts';
import { seconds } from './codec/seconds.ts';
import * as account from './messages/account-messages.ts';
import { arrival } from './messages/arrival-message.ts';
import { auditLogFilter, auditLogPage } from './messages/audit-log-messages.ts';
import * as budget from './messages/budgets/budget-messages.ts';
import * as contract from './messages/contract-messages.ts';
import * as decision from './messages/decision-messages.ts';
import { figures } from './messages/figure-messages.ts';
import * as ledger from './messages/ledger-messages.ts';
import * as member from './messages/members/member-messages.ts';
import * as named from './messages/named-policy-messages.ts';
import * as notification from './messages/notification-messages.ts';
import * as paymasterData from './messages/paymaster-data-messages.ts';
import * as paymaster from './messages/paymaster-messages.ts';
import * as policy from './messages/policy-messages.ts';
import { limitLevels, limitUses } from './messages/shared-limit-messages.ts';
import * as signIn from './messages/sign-in-messages.ts';
import { contractSigners } from './messages/signer-messages.ts';
import { emptyContext, sponsorshipContext } from './messages/sponsorship-context-messages.ts';
import * as sponsorship from './messages/sponsorship-messages.ts';
import * as statement from './messages/statement-messages.ts';
import { textList } from './messages/text-list.ts';
import { allowance } from './messages/tickets/allowance-messages.ts';
import * as ticketKey from './messages/tickets/ticket-key-messages.ts';
import * as tokenInformation from './messages/token-information-messages.ts';
import { usageRows } from './messages/usage-messages.ts';
import { rawUserOperation } from './messages/user-operation-messages.ts';
import * as webhook from './messages/webhook-messages.ts';
import type { OperationName, OperationRow } from './operation-types.ts';

const proposedPolicy = { head: required(named.policyHead), policy: required(policy.policy) };

/**
 * The table that server and client are made from, one row for each operation of `Core`; each belongs to the method of its
 * name. An operation without a row or without a method does not compile, nor does a field that no codec fits.
 */
export const operationRows: { readonly [Name in OperationName]: OperationRow<Name> } = {
  createAccount: { fields: {}, value: account.account },
  listAccounts: { fields: {}, value: account.accounts },
  inviteAccount: { fields: {}, value: account.account },
  linkWallet: { fields: {}, value: account.account },
  suspendAccount: { fields: {}, value: account.account },
  createAuthToken: { fields: { expiresAt: seconds, scopes: textList }, value: account.issuedAuthToken },
  listAuthTokens: { fields: {}, value: account.authTokenRecords },
  revokeAuthToken: { fields: {}, value: account.authTokenRecord },
  listAuditLog: { fields: { filter: absentAs({}, auditLogFilter) }, value: auditLogPage },
  authenticate: { fields: {}, value: account.caller },

  readSignUp: { fields: {}, value: signIn.signUpMode },
  createSignInNonce: { fields: {}, value: signIn.signInNonce },
  signInWithWallet: { fields: {}, value: signIn.newSession },
  signInWithAuthToken: { fields: {}, value: signIn.newSession },
  authenticateSession: { fields: {}, value: account.caller },
  readSession: { fields: {}, value: signIn.identity },
  endSession: { fields: {}, value: account.caller },
  listSessions: { fields: {}, value: signIn.sessionRecords },
  revokeSession: { fields: {}, value: account.caller },
  revokeAllSessions: { fields: {}, value: account.caller },

  listMembers: { fields: {}, value: member.members },
  addMember: { fields: { chainId }, value: member.member },
  changeMember: { fields: {}, value: member.member },
  removeMember: { fields: {}, value: member.member },
  listMemberships: { fields: { chainId }, value: member.memberships },
  switchAccount: { fields: {}, value: signIn.newSession },

  listBudgets: { fields: {}, value: budget.budgets },
  createBudget: { fields: { terms: required(budget.budgetTerms) }, value: budget.budget },
  replaceBudget: { fields: { terms: required(budget.budgetTerms) }, value: budget.budget },
  deleteBudget: { fields: {}, value: budget.budget },

  createPaymaster: { fields: { chainId }, value: paymaster.paymaster },
  updatePaymaster: { fields: {}, value: paymaster.paymaster },
  retirePaymaster: { fields: {}, value: paymaster.paymaster },
  listPaymasters: { fields: {}, value: paymaster.paymasters },
  listChains: { fields: {}, value: paymaster.servedChains },
  listApiKeys: { fields: {}, value: paymaster.apiKeyRecords },
  createApiKey: { fields: { rules: paymaster.apiKeyRules }, value: paymaster.newApiKey },
  updateApiKey: { fields: { rules: paymaster.apiKeyRules }, value: paymaster.apiKeyRecord },
  rotateApiKey: { fields: { graceSeconds: seconds }, value: paymaster.newApiKey },
  endApiKey: { fields: {}, value: paymaster.apiKeyRecord },
  createFundingMessage: { fields: {}, value: paymaster.fundingMessage },
  setFundingWallet: { fields: {}, value: paymaster.paymaster },

  readPolicy: { fields: {}, value: policy.policy },
  setPolicy: { fields: { policy: required(policy.policy) }, value: policy.policy },
  previewPolicy: { fields: { policy: required(policy.policy) }, value: policy.policyPreview },
  createPolicy: { fields: proposedPolicy, value: named.namedPolicy },
  listPolicies: { fields: {}, value: named.namedPolicies },
  readNamedPolicy: { fields: {}, value: named.namedPolicy },
  replacePolicy: { fields: proposedPolicy, value: named.namedPolicy },
  deletePolicy: { fields: {}, value: named.namedPolicy },

  registerSmartContract: { fields: { whitelistedMethods: textList }, value: contract.contract },
  listSmartContracts: { fields: {}, value: contract.contracts },
  updateSmartContract: { fields: {}, value: contract.contract },
  deleteSmartContract: { fields: {}, value: contract.contract },
  fetchContractAbi: { fields: {}, value: contract.fetchedAbi },

  createTicketKey: { fields: {}, value: ticketKey.newTicketKey },
  listTicketKeys: { fields: {}, value: ticketKey.ticketKeys },
  deleteTicketKey: { fields: {}, value: ticketKey.ticketKey },

  createWebhook: { fields: { failureBudget: webhook.askedBudget }, value: webhook.webhook },
  listWebhooks: { fields: {}, value: webhook.webhooks },
  updateWebhook: { fields: { failureBudget: webhook.askedBudget }, value: webhook.webhook },
  deleteWebhook: { fields: {}, value: webhook.webhook },
  readWebhookSecret: { fields: {}, value: webhook.webhookSecret },
  rotateWebhookSecret: { fields: {}, value: webhook.webhookSecret },
  listAccountWebhooks: { fields: {}, value: webhook.webhookPage },
  testWebhook: { fields: {}, value: webhook.webhookAnswer },
  listWebhookAnswers: { fields: {}, value: webhook.webhookAnswerPage },

  createNotification: { fields: { tankLow: notification.tankLowRule }, value: notification.notification },
  listNotifications: { fields: {}, value: notification.notifications },
  updateNotification: {
    fields: { events: notification.notificationEventList, tankLow: notification.tankLowRule },
    value: notification.notification,
  },
  deleteNotification: { fields: {}, value: notification.notification },
  readNotificationSecret: { fields: {}, value: notification.notificationSecret },
  rotateNotificationSecret: { fields: {}, value: notification.notificationSecret },
  listNotificationDeliveries: { input: notification.deliveriesRequest, value: notification.notificationDeliveryPage },
  redeliverNotification: { fields: {}, value: notification.notificationDelivery },
  sendTestNotification: { fields: {}, value: notification.notificationDelivery },

  getFeeQuoteOrData: { input: sponsorship.feeQuoteOrDataRequest, value: sponsorship.feeQuoteOrData },
  sponsorUserOperation: { input: sponsorship.sponsorUserOperationRequest, value: sponsorship.signedPaymasterData },
  getPaymasterStubData: { input: paymasterData.stubDataRequest, value: paymasterData.paymasterStub },
  getPaymasterData: { input: paymasterData.finalDataRequest, value: paymasterData.finalPaymasterData },
  getAllowance: { fields: { chainId, arrival }, value: allowance },
  validatePolicies: {
    fields: { chainId, arrival, userOperation: absentAs({}, rawUserOperation) },
    value: named.sponsoringPolicies,
  },
  quoteTokenRates: { fields: { chainId, arrival }, value: tokenInformation.tokenRateQuotes },
  listSupportedTokens: { fields: { chainId, arrival }, value: tokenInformation.supportedTokens },
  listEntryPoints: { fields: { chainId, arrival }, value: tokenInformation.entryPoints },
  describePaymaster: { fields: { chainId, arrival }, value: tokenInformation.paymasterDescription },

  listDecisions: { fields: { filter: absentAs({}, decision.decisionFilter) }, value: decision.decisionPage },
  getDecision: { fields: {}, value: decision.decision },
  explainSponsorship: {
    fields: {
      method: oneOf(decisionMethods),
      userOperation: absentAs({}, rawUserOperation),
      context: absentAs(emptyContext, sponsorshipContext),
    },
    value: decision.decision,
  },
  getUsage: { fields: { by: oneOf(usageDimensions) }, value: usageRows },

  readGasTank: { fields: {}, value: ledger.gasTank },
  listGasTankEntries: { fields: { beforeEntryId: count }, value: ledger.gasTankEntries },
  listGasTankDays: { fields: {}, value: statement.gasTankDays },
  readGasTankStatement: { fields: {}, value: statement.gasTankStatement },
  adjustTank: {
    fields: { kind: oneOf(tankAdjustmentKinds), amount: decimal, forTransaction: hex },
    value: ledger.gasTank,
  },
  checkLedger: { fields: {}, value: ledger.ledgerReports },
  rewindLedger: { fields: { chainId }, value: ledger.ledgerRewinds },
  listOpenHolds: { fields: { chainId, afterHoldId: count }, value: ledger.openHolds },
  releaseHold: { fields: { chainId, holdId: count }, value: ledger.releasedHold },
  readLedgerStandings: { fields: {}, value: ledger.ledgerStandings },
  readSigners: { fields: {}, value: contractSigners },
  readFigures: { fields: {}, value: figures },
  shareLimits: { fields: { uses: limitUses }, value: limitLevels },
};
