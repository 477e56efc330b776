import { type Abi, toFunctionSelector } from 'viem';
import { SponsorshipRefusedError } from './errors.ts';

export type UserMessageOptions = {
  /** ABIs of the page's contracts: the sentence names their refused method. */
  readonly abi?: Abi | undefined;
};

const later = 'The service that pays for transactions cannot be reached right now. Try again shortly.';
const notFree = 'This transaction is not free of charge here.';
const signInAgain = 'Sign in again to go on with free transactions.';

/** What a page's user can do about a refusal. Other reasons are for the page's developers. */
const sentences: Readonly<Record<string, string>> = {
  LIMIT_EXCEEDED: 'Your free transactions are used up for now.',
  RATE_LIMITED: 'There are too many requests right now. Try again shortly.',
  GAS_PRICE_TOO_HIGH: 'The network is too busy right now. Try again later.',
  SENDER_BLOCKED: 'Transactions of this account are not paid for here.',
  ESTIMATION_FAILED: 'This transaction would fail. Check what you entered and that you own what you want to send.',
  USER_PAYS_SHARE: 'You pay part of this transaction’s fee.',
  TOKEN_NOT_SUPPORTED: 'You cannot pay with this token here. Choose another one.',
  TOKEN_PAYMENT_FAILS: 'The fee could not be taken from your tokens. Check that you own enough of them.',
  CONTRACT_NOT_REGISTERED: notFree,
  ARGUMENT_NOT_ALLOWED: notFree,
  WEBHOOK_REFUSED: notFree,
  TICKET_REQUIRED: 'Sign in to use free transactions.',
  TICKET_EXPIRED: signInAgain,
  TICKET_USED_UP: 'Your free transactions are used up.',
  PAYMASTER_PAUSED: 'Free transactions are paused right now.',
  PRICE_UNAVAILABLE: later,
  CHAIN_UNAVAILABLE: later,
  SIGNER_UNAVAILABLE: later,
  WEBHOOK_UNAVAILABLE: later,
  TICKET_KEYS_UNAVAILABLE: later,
};

const fallback = 'This transaction cannot be paid for right now. Nothing was sent.';

/**
 * A sentence for the person who uses a page, of anything that this SDK throws. It holds no address, key or internals; with
 * the ABI of the page's contracts it names the method that was refused. The error's own `message` is for developers.
 *
 * @example
 * try {
 *   await bundlerClient.sendUserOperation({ calls });
 * } catch (error) {
 *   show(userMessage(error, { abi: shopAbi })); // “refund” is not free of charge here.
 * }
 */
export function userMessage(error: unknown, { abi = [] }: UserMessageOptions = {}): string {
  if (error instanceof Error && 'userMessage' in error && typeof error.userMessage === 'string')
    return error.userMessage;
  const known = findKnown(error);
  if (known === undefined) return fallback;
  if (!(known instanceof SponsorshipRefusedError)) return sentenceOf(known.name);
  const { reason = '', details, thenPayInToken } = known;
  const method = methodOf(details.selector, abi);
  if (reason === 'METHOD_NOT_WHITELISTED' || (sentences[reason] === notFree && method !== undefined)) {
    return method === undefined ? notFree : `“${method}” is not free of charge here.`;
  }
  const symbols = thenPayInToken?.tokens.map(({ symbol }) => symbol) ?? [];
  const sentence = sentences[reason] ?? (reason.startsWith('TICKET_') ? signInAgain : fallback);
  return symbols.length === 0 ? sentence : `${sentence} You can pay in ${symbols.join(' or ')} instead.`;
}

function sentenceOf(name: string): string {
  if (name === 'TokenPaymentTooHighError')
    return 'The fee is higher than the limit that was set for it. Nothing was sent.';
  if (name === 'TokenNotTakenError') return sentences.TOKEN_NOT_SUPPORTED ?? fallback;
  return later;
}

/** The SDK's own error, which viem and others may have wrapped. */
function findKnown(error: unknown): Error | undefined {
  const names = ['TokenPaymentTooHighError', 'TokenNotTakenError', 'TransportError'];
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1) {
    if (each instanceof SponsorshipRefusedError || names.includes(each.name)) return each;
  }
  return undefined;
}

function methodOf(selector: unknown, abi: Abi): string | undefined {
  return abi.flatMap((item) =>
    item.type === 'function' && toFunctionSelector(item) === selector ? [item.name] : [],
  )[0];
}
