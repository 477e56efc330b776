import { managementErrors } from '@tollfree/contract/errors';
import { TollfreeApiError, TransportError } from '@tollfree/sdk';

/** What a person can do about the service's answers whose own sentence does not say it. */
const advice: Readonly<Record<string, string>> = {
  [managementErrors.chainIdNotSupported.message]:
    'This service does not serve that chain. Ask its operator which it does.',
  [managementErrors.paymasterVersionNotSupported.message]:
    'The operator configures the versions for each chain. Ask which there are.',
  [managementErrors.paymasterNameExists.message]:
    'You have a paymaster of that name on this chain. Choose another name.',
  [managementErrors.paymasterRetired.message]: 'Nothing of it can be changed any more. Create another paymaster.',
  [managementErrors.apiKeyNameExists.message]: 'An apiKey of this paymaster has that name. Choose another name.',
  [managementErrors.policyNameExists.message]: 'A policy of this paymaster has that name. Choose another name.',
  [managementErrors.ticketKeyNameExists.message]: 'A key of this paymaster has that name. Choose another name.',
  [managementErrors.smartContractAddressExists.message]: 'It is in the list below: change its methods there.',
  [managementErrors.smartContractNameExists.message]: 'Choose another name.',
  [managementErrors.invalidSignature.message]:
    'Sign the message again, with the wallet that is to be the funding wallet.',
  [managementErrors.authTokenNotAccepted.message]:
    'Check that all of it was pasted, and that it is neither revoked nor expired.',
  [managementErrors.signInNotSetUp.message]:
    'The operator has to set it up. Until then the command line does the same.',
  [managementErrors.signInNonceNotAccepted.message]: 'Sign in again: a new message is made.',
  [managementErrors.signInExpired.message]: 'Sign in again, and look whether the clock of this computer is right.',
  [managementErrors.userNotFound.message]: 'Your session may have ended: sign out and in again.',
  [managementErrors.tooManyRequests.message]: 'Wait a moment and try again.',
  [managementErrors.notReady.message]: 'Try again shortly. If it stays so, the operator has to look at it.',
};

/** What to do about an error, in a sentence; undefined when its own sentence says enough. */
export function adviceOn(error: Error): string | undefined {
  if (error instanceof TransportError) return 'Look at your connection and try again.';
  if (!(error instanceof TollfreeApiError)) return undefined;
  if (error.retryAfter !== undefined) return `Try again in ${error.retryAfter} seconds.`;
  return advice[error.message];
}
