import type { Refusal, SponsorshipReason } from '../domain/result/refusal.ts';

type Remedy = string | ((details: Readonly<Record<string, string>>, field?: string) => string);

/** What would change each refusal, told to the person who can. */
const remedies: Readonly<Record<SponsorshipReason, Remedy>> = {
  INVALID_PARAMS: 'Fix the named field as the message describes.',
  UNAUTHORIZED: 'Use the apiKey of a paymaster on this chain.',
  PAYMASTER_PAUSED: 'Resume the paymaster.',
  PAYMASTER_RETIRED: 'Use another paymaster.',
  KEY_DISABLED: ({ key = 'the apiKey' }) => `Enable ${key}, or use another apiKey of the paymaster.`,
  ORIGIN_NOT_ALLOWED: ({ key = 'the apiKey' }) => `Add the origin to those of ${key}, or use another apiKey.`,
  ADDRESS_NOT_ALLOWED: ({ key = 'the apiKey' }) => `Add the address to the networks of ${key}, or use another apiKey.`,
  RPC_METHOD_NOT_ALLOWED: ({ key = 'the apiKey' }) => `Add the method to those of ${key}, or use another apiKey.`,
  ENTRY_POINT_NOT_SUPPORTED:
    'Send the operation in the format of the paymaster’s EntryPoint, or use another paymaster.',
  CHAIN_NOT_SUPPORTED: 'The operator has to configure this chain.',
  POLICY_NOT_ACCEPTED: 'Send the id of an enabled policy, or none for the default policy.',
  NO_POLICIES: 'Register the contracts that may be called, or set sponsorAllCalls in the policy.',
  CONTRACT_NOT_REGISTERED: ({ target = 'the target' }) => `Register ${target}, or set sponsorAllCalls in the policy.`,
  METHOD_NOT_WHITELISTED: ({ target = 'the contract', policy }) =>
    policy === undefined ? `Add the method to whitelistedMethods of ${target}.` : `Set ${policy} in the policy.`,
  ARGUMENT_NOT_ALLOWED: ({ argument }) =>
    argument === undefined
      ? 'Fix callRules of the policy, or send the arguments in their canonical encoding.'
      : `Change ${argument} to an allowed value, or change callRules of the policy.`,
  CALL_NOT_UNDERSTOOD: 'Name the right smartAccountInfo and send canonical calls without delegate calls or nesting.',
  ACCOUNT_NOT_KNOWN: ({ codeHash, setting, entry }) =>
    codeHash === undefined || setting === undefined
      ? 'Set accounts of the policy to ANY.'
      : `The operator can add ${entry ?? codeHash} to ${entry === undefined ? setting : 'accounts'} of the chain (tollfree account-code add). Otherwise set accounts of the policy to ANY.`,
  SENDER_BLOCKED: 'Change allowedSenders or blockedSenders of the policy.',
  LIMIT_EXCEEDED: ({ frees }) => frees ?? 'Raise the limit, or wait until the next window.',
  BUDGET_NOT_COUNTED: 'Try again when the price sources respond and agree, or delete the budget.',
  GAS_PRICE_TOO_HIGH: ({ ceiling }, field = 'maxFeePerGas') =>
    ceiling === undefined ? `Send a lower ${field}.` : `Send ${field} of at most ${ceiling} wei.`,
  WEBHOOK_REFUSED: 'The webhook decides. Ask its owner why it refused.',
  WEBHOOK_UNAVAILABLE:
    'Fix the webhook, or deactivate it. With onFailure SPONSOR, its failureBudget covers operations while it is down.',
  BUNDLER_NOT_OFFERED: 'Send operations to a bundler. The operator can expose one with bundler.expose.',
  OPERATION_NOT_SIGNED: 'Have the operation signed with pm_getPaymasterData, and send it unchanged.',
  OPERATION_PENDING: 'Wait until the other operation with this nonce has ended, or use another nonce key.',
  BUNDLER_REFUSED: 'Fix what the bundler’s code and message describe.',
  BUNDLER_UNAVAILABLE: 'Look the operation up by its hash before you send it again.',
  INSUFFICIENT_FUNDS: ({ needed }) =>
    needed === undefined
      ? 'Set a funding wallet and deposit from it.'
      : `Deposit from the funding wallet until ${needed} wei are available.`,
  RATE_LIMITED: 'Try again shortly.',
  ESTIMATION_FAILED: 'Fix the field that the message names. As it is, the operation would fail on chain.',
  USER_PAYS_SHARE: 'Request it in token mode, or clear userPaysPercent of the policy.',
  RELAY_REQUIRED: 'Relay the operation, or change relay of the policy to PREFER or NEVER.',
  RELAY_NOT_ALLOWED: 'Ask for paymaster data, or change relay of the policy to PREFER or ONLY.',
  TOKEN_NOT_SUPPORTED: ({ policy }) =>
    policy === undefined
      ? 'Choose one of the tokens that the paymaster accepts.'
      : `Change ${policy} of the policy, or choose one of the tokens that it accepts.`,
  TOKEN_PAYMENT_FAILS: ({ lacks }) =>
    lacks === undefined
      ? 'Pay in another token, or from an account whose transfers the token allows.'
      : `Give the account a higher ${lacks} of the token. An approval may be part of the operation.`,
  PRICE_UNAVAILABLE: 'Try again when the price sources respond and agree.',
  CHAIN_UNAVAILABLE: 'Try again when the node responds.',
  SIGNER_UNAVAILABLE: 'Send the same request again; its hold is reused.',
  STORE_UNAVAILABLE: 'Send the same request again shortly. The operator finds the cause in /readyz.',
  TICKET_REQUIRED: 'Send a ticket in the context or as a bearer token, or turn off requireTicket in the policy.',
  TICKET_MALFORMED: 'Let your backend create the ticket as the message describes.',
  TICKET_ALGORITHM_NOT_ALLOWED: 'Sign tickets with the alg of a registered ticket key.',
  TICKET_KEY_NOT_KNOWN: 'Register the key that signs the tickets, or name a registered one by kid.',
  TICKET_SIGNATURE_WRONG: 'Sign the ticket with a registered ticket key, and send it unchanged.',
  TICKET_FOR_ANOTHER: 'Create the ticket for this paymaster, with the aud and iss of its ticket key.',
  TICKET_EXPIRED: 'Get a new ticket.',
  TICKET_NOT_YET_VALID: 'Wait until the ticket is valid, or correct the clock of the server that creates tickets.',
  TICKET_LIVES_TOO_LONG: 'Create tickets with a shorter lifetime.',
  TICKET_NOT_FOR_OPERATION: 'Use the ticket for the sender and calls it was created for, or get another one.',
  TICKET_USED_UP: ({ frees }) => frees ?? 'Get a new ticket.',
  TICKET_KEYS_UNAVAILABLE: 'Fix the URL of the ticket key, or wait until it responds.',
  INTERNAL: 'Report the decision id to the operator.',
};

/** What would change a refusal, in a sentence. */
export function remedyOf({ reason, details, field }: Refusal): string {
  const remedy = isSponsorshipReason(reason) ? remedies[reason] : 'Change what the message names.';
  return typeof remedy === 'string' ? remedy : remedy(details ?? {}, field);
}

function isSponsorshipReason(reason: string): reason is SponsorshipReason {
  return reason in remedies;
}
