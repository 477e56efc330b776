import type { ErrorAnswer } from './envelope.ts';

function answer<const Status extends number>(status: Status, message: string): ErrorAnswer<Status> {
  return { status, statusCode: status, message };
}

/** The management errors with a text of their own (interface section 7 and the additions in its style). */
export const managementErrors = {
  authTokenAndApiKeyRequired: answer(401, 'Auth token and API key is required in the headers'),
  authTokenRequired: answer(401, 'Auth token is required in the headers'),
  userNotFound: answer(404, 'User not found'),
  accountNotFound: answer(404, 'Account not found'),
  authTokenNotFound: answer(404, 'Auth token not found'),
  authTokenNotAccepted: answer(401, 'Auth token is not accepted'),
  sessionNotFound: answer(404, 'Session not found'),
  sessionFromElsewhere: answer(403, 'Request with a session must come from the dashboard itself'),
  signInNotSetUp: answer(404, 'Sign-in is not set up on this service'),
  signInMessageNotValid: answer(
    400,
    'message must be a Sign in with Ethereum message (EIP-4361) of version 1 with a chain id above 0',
  ),
  signInForElsewhere: answer(401, 'message is for another site'),
  signInExpired: answer(401, 'message is expired or not valid yet'),
  signInNonceNotAccepted: answer(401, 'Nonce is not from here, expired or used: ask for a new one'),
  signInSignatureNotAccepted: answer(401, 'Signature is not that of the wallet in the message'),
  contractWalletNotSupported: answer(
    400,
    'Contract wallets cannot sign in: sign with a wallet that has a key of its own',
  ),
  signUpClosed: answer(403, 'Wallet has no account here: ask the operator for one'),
  accountSuspended: answer(403, 'Account is suspended'),
  tooManySignUps: answer(429, 'Too many new accounts today'),
  walletTaken: answer(400, 'Wallet belongs to an account already'),
  webhookNotFound: answer(404, 'Webhook not found'),
  notificationNotFound: answer(404, 'Notification not found'),
  paymasterNotFound: answer(404, 'Paymaster not found'),
  apiKeyNotFound: answer(404, 'API key not found'),
  apiKeyNameExists: answer(400, 'API key name already exists'),
  paymasterNameExists: answer(400, 'paymaster_name_exists'),
  chainIdNotSupported: answer(400, 'Chain ID not supported'),
  paymasterVersionNotSupported: answer(400, 'Paymaster version not supported'),
  /** The body says 400 although the HTTP status is 404. */
  smartContractNotFound: { status: 404, statusCode: 400, message: 'Smart contract not found' },
  decisionNotFound: answer(404, 'Decision not found'),
  smartContractNameExists: answer(400, 'Smart contract name already exists'),
  smartContractAddressExists: answer(400, 'Smart contract address already exists'),
  explorerNotSetUp: answer(404, 'The operator has set up no explorer for this chain: give the ABI itself'),
  invalidSignature: answer(400, 'Invalid signature'),
  bodyNotJson: answer(400, 'Request body is not valid JSON'),
  bodyTooDeep: answer(400, 'Request body is nested too deeply'),
  pathNotValid: answer(400, 'Request path is not valid'),
  pathNotFound: answer(404, 'Not found'),
  methodNotAllowed: answer(405, 'Method not allowed'),
  requestTimedOut: answer(408, 'Request was not received in time'),
  bodyTooLarge: answer(413, 'Request body is too large'),
  bodyTypeNotSupported: answer(415, 'Request body must be JSON in UTF-8, sent with Content-Type application/json'),
  tooManyRequests: answer(429, 'Too many requests'),
  tooManyFailedLogins: answer(429, 'Too many failed logins from this address'),
  headersTooLarge: answer(431, 'Request headers are too large'),
  requestNotValid: answer(400, 'Request is not valid HTTP'),
  notReady: answer(503, 'The service cannot do this now'),
} as const satisfies Record<string, ErrorAnswer>;
