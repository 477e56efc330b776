import { type Abi, BaseError, type Hex } from 'viem';
import type { UserOperationReceipt } from 'viem/account-abstraction';
import { type SponsorshipRefusalReason, SponsorshipRefusedError } from './errors.ts';
import { revertMessage, userMessage } from './user-message.ts';

/**
 * The steps of `sendSponsored`, in order. `prepare`: nonce, fees and gas. `sponsor`: the paymaster. `sign`: the account. `send`:
 * the bundler. `wait`: until it lands. `execute`: its own calls.
 */
export type SendStep = 'prepare' | 'sponsor' | 'sign' | 'send' | 'wait' | 'execute';

/** Failures other than the paymaster's refusal reasons. */
export type SendFailure =
  | 'ESTIMATION_FAILED'
  | 'PREPARATION_FAILED'
  | 'SERVICE_UNREACHABLE'
  | 'NOT_SIGNED'
  | 'NOT_ACCEPTED'
  | 'REPLACED'
  | 'DROPPED'
  | 'TIMEOUT'
  | 'REVERTED';

const sentences: Readonly<Record<SendFailure, string>> = {
  ESTIMATION_FAILED: 'This transaction would fail. Check what you entered and that you own what you want to send.',
  PREPARATION_FAILED: 'This transaction could not be prepared. Nothing was sent. Try again shortly.',
  SERVICE_UNREACHABLE: 'The service that pays for transactions cannot be reached right now. Try again shortly.',
  NOT_SIGNED: 'This transaction was not signed. Nothing was sent.',
  NOT_ACCEPTED: 'The network did not accept this transaction. Try again shortly.',
  REPLACED: 'Another transaction of your account was faster. Look at your last transactions before you try again.',
  DROPPED: 'This transaction did not go through. Try again.',
  TIMEOUT: 'This transaction takes longer than usual. It may still go through.',
  REVERTED: 'This transaction went through, but what it was meant to do failed.',
};

/** `sendSponsored` failed: the error has the step, the reason, and in {@link userMessage} a text for the user. */
export class SendSponsoredError extends Error {
  override readonly name = 'SendSponsoredError';
  readonly step: SendStep;
  /** Stable: a reason of a refusal, or one of `SendFailure`. */
  readonly reason: SendFailure | SponsorshipRefusalReason;
  /** A sentence for the person who uses the page, without addresses, keys or internals. */
  readonly userMessage: string;
  /** The operation's hash, once it was sent. */
  readonly hash: Hex | undefined;
  /** For an operation that landed but whose calls reverted. */
  readonly receipt: UserOperationReceipt | undefined;
  /** Identifies the decision of a refusal. */
  readonly decisionId: string | undefined;

  constructor(
    step: SendStep,
    failure: SendFailure,
    options: {
      readonly cause?: unknown;
      readonly message?: string | undefined;
      readonly hash?: Hex | undefined;
      readonly receipt?: UserOperationReceipt | undefined;
      readonly abi?: Abi | undefined;
    },
  ) {
    const { cause, hash, receipt, abi } = options;
    const refusal = cause instanceof SponsorshipRefusedError ? cause : undefined;
    super(options.message ?? `Sending failed at the step “${step}”: ${describe(cause)}`, { cause });
    this.step = step;
    this.reason = refusal?.reason ?? failure;
    const reverted = failure === 'ESTIMATION_FAILED' ? revertMessage(cause, abi ?? []) : undefined;
    this.userMessage = refusal === undefined ? (reverted ?? sentences[failure]) : userMessage(refusal, { abi });
    this.hash = hash;
    this.receipt = receipt;
    this.decisionId = refusal?.decisionId;
  }
}

/** The short text of viem's errors: the long one contains the URL, which may contain an apiKey. */
function describe(cause: unknown): string {
  if (cause instanceof BaseError) return [cause.shortMessage, cause.details].filter(Boolean).join(' ');
  return cause instanceof Error ? cause.message : 'unknown error';
}
