import { errorRemedies } from '@tollfree/contract/error-remedies';
import { managementErrors } from '@tollfree/contract/errors';

type ErrorName = keyof typeof managementErrors;

const names = new Map(
  (Object.keys(managementErrors) as ErrorName[]).map((name) => [managementErrors[name].message as string, name]),
);

const notAccepted =
  'The service does not accept this authToken: it may be of another service, revoked or expired. Check --auth-token-file or TOLLFREE_AUTH_TOKEN.';

/** What the user of a command reads where the answer and its remedy are about requests, or where a command helps. */
const sentences: Partial<Readonly<Record<ErrorName, string>>> = {
  // A command always sends an authToken, so the service has not accepted it.
  authTokenRequired: notAccepted,
  authTokenNotAccepted: notAccepted,
  authTokenAndApiKeyRequired: `${notAccepted} With --api-key, check that the apiKey is of the same account.`,
  pathNotFound:
    'This address does not have the management API. --url (or TOLLFREE_URL) is the address of the service alone, without a path, like https://gas.example.org.',
  paymasterNameExists:
    'The account has a paymaster of this name on this chain. Choose another name, or use that one: `tollfree use <name>`.',
  smartContractNameExists:
    'The paymaster has a contract of this name. Choose another name, or change that one: `tollfree contract update <address> --whitelist …`.',
  smartContractAddressExists:
    'The paymaster has this contract already. Change its methods: `tollfree contract update <address> --whitelist …`.',
  smartContractNotFound: 'The paymaster has no contract at this address. `tollfree contract list` shows its contracts.',
  invalidSignature:
    'The signature does not fit. Sign the message that `tollfree funding set-wallet` prints now, with the wallet of --wallet.',
};

/** An answer of the management API that refuses, as text for the user of a command: what is wrong, then what to do. */
export function describeAnswer(message: string): string {
  const name = names.get(message);
  if (name === undefined) return message;
  return sentences[name] ?? `${message.replace(/\.$/, '')}. ${errorRemedies[name]}`;
}

/** A request without an answer of the service, as text for the user of a command. `message` has no URL. */
export function describeFailedRequest(message: string, failure: unknown): string {
  const address = '--url or TOLLFREE_URL';
  return failure === 'unexpected-answer'
    ? `${message} Is this the address of a Tollfree service (${address})?`
    : `${message} Is it running, and is its address right (${address})?`;
}
