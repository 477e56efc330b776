import { operationViews } from '../domain/bundling.ts';
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
import { trueOrAbsent } from './codec/true-or-absent.ts';
import { arrival } from './messages/arrival-message.ts';
import { auditLogFilter } from './messages/audit-log-messages.ts';
import * as budget from './messages/budgets/budget-messages.ts';
import * as bundler from './messages/bundler-messages.ts';
import * as decision from './messages/decision-messages.ts';
import * as named from './messages/named-policy-messages.ts';
import * as notification from './messages/notification-messages.ts';
import * as paymasterData from './messages/paymaster-data-messages.ts';
import * as paymaster from './messages/paymaster-messages.ts';
import * as policy from './messages/policy-messages.ts';
import { limitUses } from './messages/shared-limit-messages.ts';
import { emptyContext, sponsorshipContext } from './messages/sponsorship-context-messages.ts';
import * as sponsorship from './messages/sponsorship-messages.ts';
import { textList } from './messages/text-list.ts';
import { rawUserOperation } from './messages/user-operation-messages.ts';
import * as webhook from './messages/webhook-messages.ts';
import type { RequestRows } from './operation-types.ts';

const proposedPolicy = { head: required(named.policyHead), policy: required(policy.policy) };

/**
 * What travels differently in a request than in the input of its operation. An operation whose fields are the same on both
 * sides needs no row; one that needs a row does not compile without it, nor does a field that no codec fits.
 */
export const requestRows: RequestRows = {
  createAuthToken: { fields: { expiresAt: seconds, scopes: textList } },
  listAuditLog: { fields: { filter: absentAs({}, auditLogFilter) } },
  addMember: { fields: { chainId } },
  listMemberships: { fields: { chainId } },
  createBudget: { fields: { terms: required(budget.budgetTerms) } },
  replaceBudget: { fields: { terms: required(budget.budgetTerms) } },
  createPaymaster: { fields: { chainId } },
  createApiKey: { fields: { rules: paymaster.apiKeyRules } },
  updateApiKey: { fields: { rules: paymaster.apiKeyRules } },
  rotateApiKey: { fields: { graceSeconds: seconds } },
  setPolicy: { fields: { policy: required(policy.policy) } },
  previewPolicy: { fields: { policy: required(policy.policy) } },
  createPolicy: { fields: proposedPolicy },
  replacePolicy: { fields: proposedPolicy },
  registerSmartContract: { fields: { whitelistedMethods: textList } },
  createWebhook: { fields: { failureBudget: webhook.askedBudget } },
  updateWebhook: { fields: { failureBudget: webhook.askedBudget } },
  createNotification: { fields: { tankLow: notification.tankLowRule } },
  updateNotification: {
    fields: { events: notification.notificationEventList, tankLow: notification.tankLowRule },
  },
  listNotificationDeliveries: { input: notification.deliveriesRequest },
  getFeeQuoteOrData: { input: sponsorship.feeQuoteOrDataRequest },
  sponsorUserOperation: { input: sponsorship.sponsorUserOperationRequest },
  getPaymasterStubData: { input: paymasterData.stubDataRequest },
  getPaymasterData: { input: paymasterData.finalDataRequest },
  prepareRelay: { input: paymasterData.prepareRelayRequest },
  relayUserOperation: { input: paymasterData.relayRequest },
  getAllowance: { fields: { chainId, arrival } },
  validatePolicies: {
    fields: { chainId, arrival, userOperation: absentAs({}, rawUserOperation) },
  },
  quoteTokenRates: { fields: { chainId, arrival } },
  listSupportedTokens: { fields: { chainId, arrival } },
  listEntryPoints: { fields: { chainId, arrival } },
  describePaymaster: { fields: { chainId, arrival } },
  sendUserOperation: { fields: bundler.operationRequest },
  estimateUserOperationGas: { fields: bundler.operationRequest },
  lookUpUserOperation: { fields: { ...bundler.bundlerRequest, view: oneOf(operationViews) } },
  readUserOperationStatus: { fields: bundler.bundlerRequest },
  quoteGasPrices: { fields: bundler.bundlerRequest },
  listBundlerEntryPoints: { fields: bundler.bundlerRequest },
  listDecisions: { fields: { filter: absentAs({}, decision.decisionFilter) } },
  explainSponsorship: {
    fields: {
      method: oneOf(decisionMethods),
      userOperation: absentAs({}, rawUserOperation),
      context: absentAs(emptyContext, sponsorshipContext),
    },
  },
  getUsage: { fields: { by: oneOf(usageDimensions) } },
  listGasTankEntries: { fields: { beforeEntryId: count } },
  adjustTank: {
    fields: { kind: oneOf(tankAdjustmentKinds), amount: decimal, forTransaction: hex, relay: trueOrAbsent },
  },
  rewindLedger: { fields: { chainId } },
  listOpenHolds: { fields: { chainId, afterHoldId: count } },
  releaseHold: { fields: { chainId, holdId: count } },
  shareLimits: { fields: { uses: limitUses } },
};
