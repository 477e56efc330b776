import type { OperationName } from './operation-types.ts';

/**
 * Which operations may be carried out twice: where a core was lost that may have done one, another core is asked again.
 *
 * Those that read, and those that sign: a signature is on the hold of its account's nonce, of which there is one whoever asks
 * how often, so that the second call holds nothing more and signs the same operation again. It is a decision more in the
 * records, and a webhook is asked once more. Of all others the caller learns that nothing is known of the outcome.
 */
export const repeatableOperations: { readonly [Name in OperationName]: boolean } = {
  createAccount: false,
  listAccounts: true,
  inviteAccount: false,
  linkWallet: false,
  suspendAccount: false,
  issueAuthToken: false,
  listAuthTokens: true,
  revokeAuthToken: false,
  authenticate: true,

  readSignUp: true,
  createSignInNonce: true,
  signInWithWallet: false,
  signInWithAuthToken: false,
  authenticateSession: true,
  readIdentity: true,
  endSession: false,
  listSessions: true,
  revokeSession: false,
  revokeAllSessions: false,

  createPaymaster: false,
  listPaymasters: true,
  listChains: true,
  listApiKeys: true,
  createApiKey: false,
  updateApiKey: true,
  rotateApiKey: false,
  endApiKey: false,
  createFundingMessage: false,
  setFundingWallet: false,

  readPolicy: true,
  setPolicy: false,
  previewPolicy: true,
  createPolicy: false,
  listPolicies: true,
  readNamedPolicy: true,
  replacePolicy: false,
  deletePolicy: false,

  registerContract: false,
  listContracts: true,
  updateContract: false,
  deleteContract: false,
  fetchContractAbi: true,

  createTicketKey: false,
  listTicketKeys: true,
  deleteTicketKey: false,

  createWebhook: false,
  listWebhooks: true,
  updateWebhook: false,
  deleteWebhook: false,
  readWebhookSecret: true,
  rotateWebhookSecret: false,
  listAccountWebhooks: true,
  testWebhook: false,
  listWebhookAnswers: true,

  createNotification: false,
  listNotifications: true,
  updateNotification: false,
  deleteNotification: false,
  readNotificationSecret: true,
  rotateNotificationSecret: false,
  listNotificationDeliveries: true,
  redeliverNotification: false,
  sendTestNotification: false,

  getFeeQuoteOrData: true,
  sponsorUserOperation: true,
  getPaymasterStubData: true,
  getPaymasterData: true,
  quoteTokenRates: true,
  listSupportedTokens: true,
  listEntryPoints: true,
  describePaymaster: true,

  listDecisions: true,
  readDecision: true,
  explainSponsorship: true,
  readUsage: true,

  readGasTank: true,
  listGasTankEntries: true,
  listGasTankDays: true,
  readGasTankStatement: true,
  adjustTank: false,
  checkLedger: true,
  rewindLedger: false,
  listOpenHolds: true,
  releaseHold: false,
  readLedgerStandings: true,
  readSigners: true,
  readFigures: true,
  shareLimits: false,
};
