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
  webhookNotFound: answer(404, 'Webhook not found'),
  notificationNotFound: answer(404, 'Notification not found'),
  paymasterNotFound: answer(404, 'Paymaster not found'),
  paymasterNameExists: answer(400, 'paymaster_name_exists'),
  chainIdNotSupported: answer(400, 'Chain ID not supported'),
  paymasterVersionNotSupported: answer(400, 'Paymaster version not supported'),
  /** The body says 400 although the HTTP status is 404. */
  smartContractNotFound: { status: 404, statusCode: 400, message: 'Smart contract not found' },
  decisionNotFound: answer(404, 'Decision not found'),
  smartContractNameExists: answer(400, 'Smart contract name already exists'),
  smartContractAddressExists: answer(400, 'Smart contract address already exists'),
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
