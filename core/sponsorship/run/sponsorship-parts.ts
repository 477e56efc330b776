import type { Address, Hex } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { DecisionRecorder } from '../../decisions/record-decisions.ts';
import type { UnpaidBudget } from '../../domain/budget.ts';
import type { ValidityConfig } from '../../domain/core-config.ts';
import type { DecisionOutcome } from '../../domain/decision.ts';
import type { HoldCaps } from '../../domain/hold-caps.ts';
import type { RefusalReason } from '../../domain/result/refusal.ts';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import type { Signer } from '../../evm/signer/signer.ts';
import type { UpstreamQuestions } from '../../ledger/holds/end-upstream-question.ts';
import type { HoldQueue } from '../../ledger/holds/hold-queue.ts';
import type { FundsRequest } from '../../ledger/holds/read-available-funds.ts';
import type { SignatureRecorder } from '../../ledger/holds/record-signatures.ts';
import type { RelayDesk } from '../../ledger/relay/relay-desk.ts';
import type { TakeOfRate } from '../../paymasters/key-rates.ts';
import type { NoteUse } from '../../paymasters/note-use.ts';
import type { RegisteredErrors } from '../../paymasters/registered-errors.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { QuoteStore } from '../../quotes/quote-store.ts';
import type { JwksCache } from '../../tickets/jwks-cache.ts';
import type { WebhookCaller } from '../../webhooks/webhook-caller.ts';
import type { ChainRuntime } from './chain-runtime.ts';
import type { SimulationTurns } from './simulation-turns.ts';

/** What an answer was: of a chain that perhaps only the request names, and in a mode if it came that far. */
type DecidedAnswer = {
  readonly chainId: number;
  readonly outcome: DecisionOutcome;
  readonly mode?: SponsorshipMode;
  readonly reason?: RefusalReason;
  /** It was signed although webhooks were down. */
  readonly withoutWebhooks?: boolean;
};

/** What the steps of a sponsorship are made of. */
export type SponsorshipParts = {
  readonly profiles: Pick<SponsorProfiles, 'find' | 'choose' | 'forget' | 'isCurrent'>;
  /** Takes one request of the rate of a key that has one. */
  readonly takeOfRate: TakeOfRate;
  /** Told of every apiKey that is asked with. */
  readonly noteUse?: NoteUse;
  /** What a failed operation may have reverted with. */
  readonly errors: RegisteredErrors;
  /** Whose turn it is to have the nodes simulate. */
  readonly simulations: SimulationTurns;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly holds: HoldQueue;
  /** Decides a hold as it would be decided now, and holds nothing. */
  readonly tryHold: HoldQueue['hold'];
  /** What could be held for an operation now, in wei. */
  readonly availableFunds: (request: FundsRequest) => Promise<bigint>;
  /** Whether an operation that gives this sender code that is known is signed and may still land; `besides` the one of a nonce. */
  readonly hasOpenDeployment: (asked: {
    readonly chainId: number;
    readonly sender: Address;
    readonly besides?: bigint;
  }) => Promise<boolean>;
  readonly signatures: Pick<SignatureRecorder, 'record'>;
  readonly sign: (signer: Signer, digest: Hex) => Promise<Hex>;
  /** Gives operations that need no signature to a bundler. */
  readonly relays: RelayDesk;
  /** Keeps the decisions that no hold is kept for. */
  readonly decisions: Pick<DecisionRecorder, 'add'>;
  readonly webhooks: WebhookCaller;
  /** What is kept of questions to a second paymaster; absent where none is asked, as in an explanation. */
  readonly upstreamQuestions: UpstreamQuestions | undefined;
  /** The keys behind URLs that tickets are verified with. */
  readonly jwks: JwksCache;
  readonly quotes: QuoteStore;
  readonly validity: ValidityConfig;
  readonly holdCaps: HoldCaps;
  /** Under which a client's open holds are counted: a keyed digest of its address. */
  readonly digestClient: (clientAddress: string) => string;
  readonly unpaidBudget: UnpaidBudget;
  /** Told of every answer, a refusal or not, as it is given. */
  readonly noteDecision?: (decided: DecidedAnswer) => void;
  /** Told of every answer of a second paymaster, with the most that it can come to in millionths of a USD. */
  readonly noteUpstream?: (answered: { readonly chainId: number; readonly usdMicros: bigint }) => void;
  readonly clock: Clock;
  readonly logger: Logger;
};
