import * as account from './messages/account-messages.ts';
import { auditLogPage } from './messages/audit-log-messages.ts';
import * as budget from './messages/budgets/budget-messages.ts';
import * as bundler from './messages/bundler-messages.ts';
import * as contract from './messages/contract-messages.ts';
import * as decision from './messages/decision-messages.ts';
import * as ledger from './messages/ledger-messages.ts';
import * as member from './messages/members/member-messages.ts';
import { metrics } from './messages/metric-messages.ts';
import * as named from './messages/named-policy-messages.ts';
import * as notification from './messages/notification-messages.ts';
import { operationLife } from './messages/operation-messages.ts';
import * as paymasterData from './messages/paymaster-data-messages.ts';
import * as paymaster from './messages/paymaster-messages.ts';
import * as policy from './messages/policy-messages.ts';
import { limitLevels } from './messages/shared-limit-messages.ts';
import * as signIn from './messages/sign-in-messages.ts';
import { contractSigners } from './messages/signer-messages.ts';
import * as sponsorship from './messages/sponsorship-messages.ts';
import * as statement from './messages/statement-messages.ts';
import { allowance } from './messages/tickets/allowance-messages.ts';
import * as ticketKey from './messages/tickets/ticket-key-messages.ts';
import * as tokenInformation from './messages/token-information-messages.ts';
import { usageRows } from './messages/usage-messages.ts';
import * as webhook from './messages/webhook-messages.ts';
import type { ValueCodecs } from './operation-types.ts';

/**
 * How the values of operations travel, by the names of their messages. A message without a codec does not compile, nor does a
 * codec of another domain type than that of the operations which answer with the message.
 */
export const valueCodecs: ValueCodecs = {
  Account: account.account,
  AccountList: account.accounts,
  IssuedAuthToken: account.issuedAuthToken,
  AuthTokenRecordList: account.authTokenRecords,
  AuthTokenRecord: account.authTokenRecord,
  AuditLogPage: auditLogPage,
  Caller: account.caller,
  SignUp: signIn.signUpMode,
  SignInNonce: signIn.signInNonce,
  NewSession: signIn.newSession,
  Identity: signIn.identity,
  SessionRecordList: signIn.sessionRecords,
  MemberList: member.members,
  Member: member.member,
  MembershipList: member.memberships,
  BudgetList: budget.budgets,
  Budget: budget.budget,
  Paymaster: paymaster.paymaster,
  PaymasterList: paymaster.paymasters,
  ServedChainList: paymaster.servedChains,
  ApiKeyRecordList: paymaster.apiKeyRecords,
  NewApiKey: paymaster.newApiKey,
  ApiKeyRecord: paymaster.apiKeyRecord,
  FundingMessage: paymaster.fundingMessage,
  Policy: policy.policy,
  PolicyPreview: policy.policyPreview,
  NamedPolicy: named.namedPolicy,
  NamedPolicyList: named.namedPolicies,
  SmartContract: contract.contract,
  SmartContractList: contract.contracts,
  FetchedAbi: contract.fetchedAbi,
  NewTicketKey: ticketKey.newTicketKey,
  TicketKeyList: ticketKey.ticketKeys,
  TicketKey: ticketKey.ticketKey,
  Webhook: webhook.webhook,
  WebhookList: webhook.webhooks,
  WebhookSecret: webhook.webhookSecret,
  WebhookPage: webhook.webhookPage,
  WebhookAnswer: webhook.webhookAnswer,
  WebhookAnswerPage: webhook.webhookAnswerPage,
  Notification: notification.notification,
  NotificationList: notification.notifications,
  NotificationSecret: notification.notificationSecret,
  NotificationDeliveryPage: notification.notificationDeliveryPage,
  NotificationDelivery: notification.notificationDelivery,
  FeeQuoteOrData: sponsorship.feeQuoteOrData,
  SignedPaymasterData: sponsorship.signedPaymasterData,
  PaymasterStub: paymasterData.paymasterStub,
  FinalPaymasterData: paymasterData.finalPaymasterData,
  RelayTerms: paymasterData.relayTerms,
  RelayedUserOperation: paymasterData.relayedUserOperation,
  Allowance: allowance,
  SponsoringPolicyList: named.sponsoringPolicies,
  TokenRateQuoteList: tokenInformation.tokenRateQuotes,
  SupportedTokenList: tokenInformation.supportedTokens,
  StringList: tokenInformation.entryPoints,
  PaymasterDescription: tokenInformation.paymasterDescription,
  SentUserOperation: bundler.sentUserOperation,
  BundlerGasEstimate: bundler.gasEstimate,
  FoundUserOperation: bundler.foundUserOperation,
  BundledStatus: bundler.bundledStatus,
  GasPrices: bundler.gasPrices,
  DecisionPage: decision.decisionPage,
  Decision: decision.decision,
  OperationLife: operationLife,
  UsageRowList: usageRows,
  GasTank: ledger.gasTank,
  GasTankEntryList: ledger.gasTankEntries,
  GasTankDayList: statement.gasTankDays,
  GasTankStatement: statement.gasTankStatement,
  LedgerReportList: ledger.ledgerReports,
  LedgerRewindList: ledger.ledgerRewinds,
  ArchiveStep: ledger.archiveStep,
  OpenHoldList: ledger.openHolds,
  ReleasedHold: ledger.releasedHold,
  LedgerStandingList: ledger.ledgerStandings,
  ContractSignerList: contractSigners,
  FigureList: metrics,
  LimitLevels: limitLevels,
};
