import type { ErrorAnswer } from '@tollfree/contract/envelope';
import { managementErrors } from '@tollfree/contract/errors';
import type { RefusalReason } from '../../core/domain/result/refusal.ts';

/** Refusals with the text of the failed check, and this HTTP status. */
type OwnText = { readonly status: number; readonly message: 'from the refusal' };

function ownText(status: number): OwnText {
  return { status, message: 'from the refusal' };
}

/**
 * How refusals of management calls are answered. Other reasons cannot occur there: they are answered as a fault of the
 * service.
 */
export const refusalAnswers: Readonly<Partial<Record<RefusalReason, ErrorAnswer | OwnText>>> = {
  UNAUTHENTICATED: managementErrors.authTokenAndApiKeyRequired,
  API_KEY_NOT_ACCEPTED: managementErrors.authTokenAndApiKeyRequired,
  SCOPE_MISSING: ownText(403),
  ACCOUNT_NOT_FOUND: managementErrors.accountNotFound,
  AUTH_TOKEN_NOT_FOUND: managementErrors.authTokenNotFound,
  AUTH_TOKEN_NOT_ACCEPTED: managementErrors.authTokenNotAccepted,
  TOO_MANY_AUTH_TOKENS: ownText(400),
  SESSION_NOT_FOUND: managementErrors.sessionNotFound,
  SIGN_IN_MESSAGE_NOT_VALID: managementErrors.signInMessageNotValid,
  SIGN_IN_FOR_ELSEWHERE: managementErrors.signInForElsewhere,
  SIGN_IN_EXPIRED: managementErrors.signInExpired,
  SIGN_IN_NONCE_NOT_ACCEPTED: managementErrors.signInNonceNotAccepted,
  SIGN_IN_SIGNATURE_NOT_ACCEPTED: managementErrors.signInSignatureNotAccepted,
  CONTRACT_WALLET_NOT_SUPPORTED: managementErrors.contractWalletNotSupported,
  SIGN_UP_CLOSED: managementErrors.signUpClosed,
  TOO_MANY_SIGN_UPS: managementErrors.tooManySignUps,
  ACCOUNT_SUSPENDED: managementErrors.accountSuspended,
  WALLET_TAKEN: managementErrors.walletTaken,
  MEMBER_NOT_FOUND: managementErrors.memberNotFound,
  MEMBER_EXISTS: managementErrors.memberExists,
  TOO_MANY_MEMBERS: ownText(400),
  LAST_OWNER: managementErrors.lastOwner,
  NOT_A_MEMBER: managementErrors.notAMember,
  BUDGET_NOT_FOUND: managementErrors.budgetNotFound,
  BUDGET_NAME_EXISTS: managementErrors.budgetNameExists,
  TOO_MANY_BUDGETS: ownText(400),
  INVALID_FIELD: ownText(400),
  WEBHOOK_NOT_FOUND: managementErrors.webhookNotFound,
  WEBHOOK_URL_NOT_REACHABLE: ownText(400),
  TOO_MANY_WEBHOOKS: ownText(400),
  PAYMASTER_NOT_FOUND: managementErrors.paymasterNotFound,
  PAYMASTER_RETIRED: managementErrors.paymasterRetired,
  PAYMASTER_NAME_EXISTS: managementErrors.paymasterNameExists,
  TOO_MANY_PAYMASTERS: ownText(400),
  API_KEY_NOT_FOUND: managementErrors.apiKeyNotFound,
  API_KEY_NAME_EXISTS: managementErrors.apiKeyNameExists,
  TOO_MANY_API_KEYS: ownText(400),
  PAYMASTER_CHAIN_NOT_SUPPORTED: managementErrors.chainIdNotSupported,
  PAYMASTER_VERSION_NOT_SUPPORTED: managementErrors.paymasterVersionNotSupported,
  CONTRACT_NOT_FOUND: managementErrors.smartContractNotFound,
  CONTRACT_NAME_EXISTS: managementErrors.smartContractNameExists,
  CONTRACT_ADDRESS_EXISTS: managementErrors.smartContractAddressExists,
  TOO_MANY_CONTRACTS: ownText(400),
  METHODS_NOT_IN_ABI: ownText(400),
  EXPLORER_NOT_SET_UP: managementErrors.explorerNotSetUp,
  ABI_NOT_VERIFIED: ownText(404),
  EXPLORER_UNAVAILABLE: ownText(503),
  POLICY_NOT_FOUND: managementErrors.policyNotFound,
  POLICY_NAME_EXISTS: managementErrors.policyNameExists,
  TOO_MANY_POLICIES: ownText(400),
  DECISION_NOT_FOUND: managementErrors.decisionNotFound,
  OPERATION_NOT_FOUND: managementErrors.operationNotFound,
  NOTIFICATION_NOT_FOUND: managementErrors.notificationNotFound,
  NOTIFICATION_URL_NOT_REACHABLE: ownText(400),
  TOO_MANY_NOTIFICATIONS: ownText(400),
  INVALID_SIGNATURE: managementErrors.invalidSignature,
  TICKET_KEY_NOT_FOUND: managementErrors.ticketKeyNotFound,
  TICKET_KEY_NAME_EXISTS: managementErrors.ticketKeyNameExists,
  TOO_MANY_TICKET_KEYS: ownText(400),
  JWKS_URL_NOT_REACHABLE: ownText(400),
  INVALID_PARAMS: ownText(400),
  CHAIN_NOT_SUPPORTED: ownText(400),
  CHAIN_UNAVAILABLE: managementErrors.notReady,
};
