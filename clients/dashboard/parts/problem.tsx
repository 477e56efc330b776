import { managementErrors } from '@tollfree/contract/errors';
import { TollfreeApiError, TransportError } from '@tollfree/sdk';
import type { ReactNode } from 'react';
import { counted } from './text/counted.ts';

/** An error in the service's words, and what to do about it. Hidden without an error. */
export function Problem({ error }: { readonly error: Error | null | undefined }) {
  return (
    <div role="alert" className="alert-place">
      {error ? (
        <div className="notice bad">
          <p>
            <strong>{sentence(error.message)}</strong>
          </p>
          {adviceOn(error) === undefined ? null : <p>{adviceOn(error)}</p>}
        </div>
      ) : null}
    </div>
  );
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Advice for service errors whose own message has none. */
const advice: Readonly<Record<string, string>> = {
  [managementErrors.chainIdNotSupported.message]:
    'This service does not support that chain. Ask its operator which chains it supports.',
  [managementErrors.paymasterVersionNotSupported.message]:
    'The operator configures the versions for each chain. Ask which versions are available.',
  [managementErrors.paymasterNameExists.message]:
    'You already have a paymaster with that name on this chain. Choose another name.',
  [managementErrors.paymasterRetired.message]: 'Retired paymasters are read-only. Create another paymaster.',
  [managementErrors.apiKeyNameExists.message]:
    'An API key of this paymaster already has that name. Choose another name.',
  [managementErrors.policyNameExists.message]: 'A policy of this paymaster already has that name. Choose another name.',
  [managementErrors.ticketKeyNameExists.message]: 'A key of this paymaster already has that name. Choose another name.',
  [managementErrors.smartContractAddressExists.message]: 'It is already in the list below. Change its methods there.',
  [managementErrors.smartContractNameExists.message]: 'Choose another name.',
  [managementErrors.invalidSignature.message]: 'Sign the message again with the future funding wallet.',
  [managementErrors.authTokenNotAccepted.message]:
    'Check that you pasted the whole token, and that it is neither revoked nor expired.',
  [managementErrors.signInNotSetUp.message]: 'The operator has to set it up. Until then, use the command line.',
  [managementErrors.signInNonceNotAccepted.message]: 'Sign in again with a new message.',
  [managementErrors.signInExpired.message]: 'Check the clock of this computer, then sign in again.',
  [managementErrors.userNotFound.message]: 'Your session may have ended. Sign out and in again.',
  [managementErrors.tooManyRequests.message]: 'Wait a moment and try again.',
  [managementErrors.coreOutdated.message]: 'Ask the operator to upgrade the core to the version of the gateway.',
  [managementErrors.notReady.message]: 'Try again shortly. If the problem persists, contact the operator.',
};

/** What to do about an error, in a sentence; undefined when its own message says enough. */
function adviceOn(error: Error): string | undefined {
  if (error instanceof TransportError) return 'Check your connection and try again.';
  if (!(error instanceof TollfreeApiError)) return undefined;
  if (error.retryAfter !== undefined) return `Try again in ${counted(error.retryAfter, 'second')}.`;
  return advice[error.message];
}

/** A highlighted message. */
export function Notice({ kind = 'info', children }: { kind?: 'info' | 'good' | 'warn' | 'bad'; children: ReactNode }) {
  return <div className={`notice ${kind}`}>{children}</div>;
}
