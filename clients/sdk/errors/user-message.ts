import { type Abi, toFunctionSelector } from 'viem';
import type { SponsorshipRefusedError } from './errors.ts';
import { findRefusal, listCauses, readKey } from './find-refusal.ts';
import { findRevertName, quotable } from './revert-name.ts';

export type UserMessageOptions = {
  /** ABIs of the page's contracts: the sentence names their refused method, and the error that a call reverts with. */
  readonly abi?: Abi | undefined;
};

const later = 'The service that pays for transactions cannot be reached right now. Try again shortly.';
const notFree = 'This transaction is not free of charge here.';
const signInAgain = 'Sign in again to go on with free transactions.';
const tooExpensive = 'This transaction costs more than is paid for here.';
const shortly = 'Too many free transactions are open right now. Try again shortly.';
const wouldFail = 'This transaction would fail. Check what you entered and that you own what you want to send.';
const notPrepared = 'This transaction could not be prepared. Nothing was sent. Try again shortly.';

/** What a page's user can do about a refusal. Other reasons are for the page's developers. */
const sentences: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'There are too many requests right now. Try again shortly.',
  GAS_PRICE_TOO_HIGH: 'The network is too busy right now. Try again later.',
  SENDER_BLOCKED: 'Transactions of this account are not paid for here.',
  ORIGIN_NOT_ALLOWED: 'This page may not use free transactions.',
  ADDRESS_NOT_ALLOWED: 'Free transactions are not offered from your network.',
  KEY_DISABLED: 'Free transactions are switched off here.',
  PAYMASTER_RETIRED: 'Free transactions are no longer offered here.',
  ACCOUNT_NOT_KNOWN: 'Transactions of this kind of account are not paid for here.',
  INSUFFICIENT_FUNDS: 'Free transactions have run out here. Try again later.',
  OPERATION_PENDING: 'Your last transaction is still open. Try again when it has gone through.',
  USER_PAYS_SHARE: 'You pay part of this transaction’s fee.',
  TOKEN_NOT_SUPPORTED: 'You cannot pay with this token here. Choose another one.',
  TOKEN_PAYMENT_FAILS: 'The fee could not be taken from your tokens. Check that you own enough of them.',
  CONTRACT_NOT_REGISTERED: notFree,
  METHOD_NOT_WHITELISTED: notFree,
  CALL_NOT_UNDERSTOOD: notFree,
  NO_POLICIES: notFree,
  ARGUMENT_NOT_ALLOWED: notFree,
  WEBHOOK_REFUSED: notFree,
  TICKET_REQUIRED: 'Sign in to use free transactions.',
  TICKET_EXPIRED: signInAgain,
  TICKET_USED_UP: 'Your free transactions are used up.',
  PAYMASTER_PAUSED: 'Free transactions are paused right now.',
  BUDGET_NOT_COUNTED: later,
  PRICE_UNAVAILABLE: later,
  CHAIN_UNAVAILABLE: later,
  SIGNER_UNAVAILABLE: later,
  STORE_UNAVAILABLE: later,
  BUNDLER_UNAVAILABLE: later,
  WEBHOOK_UNAVAILABLE: later,
  TICKET_KEYS_UNAVAILABLE: later,
  INTERNAL: later,
};

const fallback = 'This transaction cannot be paid for right now. Nothing was sent.';

/**
 * A sentence for the person who uses a page, of any error of a sponsored transaction: of this SDK, of the clients of viem,
 * permissionless and wagmi, and of a wallet that passes `error.data` on. It holds no address, key or internals. With the ABI of the
 * page's contracts it names the method that was refused, and the error that a call reverts with. The error's own `message` is for
 * developers.
 *
 * @example
 * try {
 *   await bundlerClient.sendUserOperation({ calls });
 * } catch (error) {
 *   show(userMessage(error, { abi: shopAbi })); // “refund” is not free of charge here.
 * }
 */
export function userMessage(error: unknown, { abi = [] }: UserMessageOptions = {}): string {
  const causes = listCauses(error);
  const own = causes.map((each) => readKey(each, 'userMessage')).find((text) => typeof text === 'string');
  if (typeof own === 'string') return own;
  const refusal = findRefusal(causes);
  return refusal === undefined ? ofOtherError(causes, abi) : ofRefusal(refusal, abi);
}

function ofRefusal(refusal: SponsorshipRefusedError, abi: Abi): string {
  const { reason = '', details, thenPayInToken } = refusal;
  const sentence =
    reason === 'LIMIT_EXCEEDED'
      ? ofLimit(refusal)
      : reason === 'ESTIMATION_FAILED'
        ? ofEstimation(refusal, abi)
        : (sentences[reason] ?? (reason.startsWith('TICKET_') ? signInAgain : fallback));
  if (typeof details.webhookReason === 'string') return details.webhookReason;
  const method = sentence === notFree ? methodOf(details.selector, abi) : undefined;
  const symbols = thenPayInToken?.tokens.map(({ symbol }) => symbol) ?? [];
  const named = method === undefined ? sentence : `“${method}” is not free of charge here.`;
  return symbols.length === 0 ? named : `${named} You can pay in ${symbols.join(' or ')} instead.`;
}

/** Which bound it is decides whether waiting helps, and whether it is the user's own. */
function ofLimit({ limitKind, resetsAt, details }: SponsorshipRefusedError): string {
  const { limit = '', fits, used } = details;
  const again = resetsAt === undefined ? '' : ` Try again after ${timeText(resetsAt)}.`;
  if (fits === 'never') return tooExpensive;
  switch (limitKind) {
    case 'SCHEDULE':
      return resetsAt === undefined
        ? 'Free transactions are paused.'
        : `Free transactions are paused until ${timeText(resetsAt)}.`;
    case 'PERIOD':
      return resetsAt === undefined
        ? 'Free transactions have ended here.'
        : `Free transactions begin on ${timeText(resetsAt)}.`;
    case 'POLICY_CAP':
    case 'GAS_LIMIT':
      return tooExpensive;
    case 'OPERATOR_CAP':
      // Open operations pass; what one operation may cost stays.
      return /open|share|unpaid/i.test(limit) ? shortly : tooExpensive;
    case 'QUOTE':
      return 'The fee has risen since it was shown. Look at the new one and try again.';
    case 'ACCOUNT_BUDGET':
      return `Free transactions are used up for everyone right now.${again}`;
    default: {
      // It was set during the request.
      if (used === undefined && limit !== '') return shortly;
      const isShared = /^limit-(total|key)-/.test(limit);
      return `${isShared ? 'Free transactions are used up for everyone right now.' : 'Your free transactions are used up for now.'}${again}`;
    }
  }
}

/** `AA` codes are for the page's developers, except that another operation was faster. */
function ofEstimation({ details: { aaCode, revert = '', revertData } }: SponsorshipRefusedError, abi: Abi): string {
  if (aaCode === 'AA25') return 'Another transaction of your account was faster. Try again.';
  if (aaCode !== undefined) return notPrepared;
  const [, text] = /^Error\("?(.*?)"?\)$/s.exec(revert) ?? [];
  const [, custom] = /^(\w+)\(/.exec(revert) ?? [];
  const isCustom = custom !== undefined && custom !== 'Error' && custom !== 'Panic' && !custom.startsWith('0x');
  const name =
    findRevertName([{ data: { revertData } }], abi) ??
    (text === undefined ? (isCustom ? custom : undefined) : quotable(text));
  return revertText(name);
}

function revertText(name: string | undefined): string {
  return name === undefined ? wouldFail : `This transaction would fail: “${name}”.`;
}

/** Names of errors of other libraries, which they keep over their versions. */
const unreachable: ReadonlySet<unknown> = new Set([
  'TransportError',
  'HttpRequestError',
  'TimeoutError',
  'WebSocketRequestError',
]);
const reverts: ReadonlySet<unknown> = new Set(['ExecutionRevertedError', 'ContractFunctionRevertedError']);

/** What a call that reverts in a bundler's estimation says; undefined if the error is about something else. */
export function revertMessage(error: unknown, abi: Abi): string | undefined {
  const causes = listCauses(error);
  if (!causes.some((each) => reverts.has(readKey(each, 'name')))) return undefined;
  return revertText(findRevertName(causes, abi));
}

function ofOtherError(causes: readonly object[], abi: Abi): string {
  const names = causes.map((each) => readKey(each, 'name'));
  if (names.includes('TokenPaymentTooHighError'))
    return 'The fee is higher than the limit that was set for it. Nothing was sent.';
  if (names.includes('TokenNotTakenError')) return sentences.TOKEN_NOT_SUPPORTED ?? fallback;
  // EIP-1193.
  const isRejected =
    names.includes('UserRejectedRequestError') || causes.some((each) => readKey(each, 'code') === 4001);
  if (isRejected) return 'This transaction was not signed. Nothing was sent.';
  if (names.some((name) => reverts.has(name))) return revertText(findRevertName(causes, abi));
  if (names.some((name) => unreachable.has(name))) return later;
  if (names.includes('UserOperationExecutionError'))
    return 'The network did not accept this transaction. Try again shortly.';
  return fallback;
}

/** In the time zone of the page's user. */
function timeText(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

function methodOf(selector: unknown, abi: Abi): string | undefined {
  return abi.flatMap((item) =>
    item.type === 'function' && toFunctionSelector(item) === selector ? [item.name] : [],
  )[0];
}
