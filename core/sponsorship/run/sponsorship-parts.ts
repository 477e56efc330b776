import type { Address, Hex } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { DecisionRecorder } from '../../decisions/record-decisions.ts';
import type { UnpaidBudget } from '../../domain/budget.ts';
import type { HoldCaps, HotWalletStatus } from '../../domain/chain-config.ts';
import type { ValidityConfig } from '../../domain/core-config.ts';
import type { DecidedCall, DecisionOutcome } from '../../domain/decision.ts';
import type { RefusalReason } from '../../domain/result/refusal.ts';
import type { SponsorshipContext, SponsorshipMode, SponsorshipRequest } from '../../domain/sponsorship.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { Signer, SignersNow } from '../../evm/signer/signer.ts';
import type { GasEstimator } from '../../gas/estimator.ts';
import type { GivenLimitsCheck } from '../../gas/given-limits-check.ts';
import type { TokenPaymentTrial } from '../../gas/token-payment-trial.ts';
import type { VendorQuestions } from '../../ledger/holds/end-vendor-question.ts';
import type { HoldQueue } from '../../ledger/holds/hold-queue.ts';
import type { FundsRequest } from '../../ledger/holds/read-available-funds.ts';
import type { SignatureRecorder } from '../../ledger/operation-status/record-signatures.ts';
import type { RelayQueue } from '../../ledger/relay-queue.ts';
import type { AccountReader } from '../../node/account-codes/create-account-reader.ts';
import type { BundlerList } from '../../node/bundler-list.ts';
import type { NodeState } from '../../node/chain-client.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Vendor } from '../../node/vendor/create-vendor.ts';
import type { RegisteredErrors } from '../../paymasters/contract-methods.ts';
import type { NoteUse, TakeOfRate } from '../../paymasters/key-rates.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { LastCoinPrice } from '../../quotes/last-coin-price.ts';
import type { QuoteStore } from '../../quotes/quote-store.ts';
import type { TokenRates } from '../../quotes/token-rates.ts';
import type { JwksCache } from '../../tickets/jwks-cache.ts';
import type { WebhookCaller } from '../../webhooks/webhook-caller.ts';
import type { SimulationTurns } from './simulation-turns.ts';

/** The operator's hot wallet on a chain. `status`: the result of the last turn; undefined while another process tops up. */
export type ChainHotWallet = {
  readonly address: Address;
  readonly maxPerDay: bigint;
  readonly status: () => HotWalletStatus | undefined;
};

/** The parts of one chain for sponsorships. */
export type ChainRuntime = FollowedChain & {
  readonly rates: TokenRates;
  /** The coin's price, read in the background. */
  readonly coinPrice: Pick<LastCoinPrice, 'last'> & Partial<Pick<LastCoinPrice, 'fault'>>;
  readonly estimator: GasEstimator;
  readonly givenLimitsCheck: GivenLimitsCheck;
  readonly paymentTrial: TokenPaymentTrial;
  readonly accountReader: AccountReader;
  /** What is wrong with the estimating bundler; undefined when nothing is, absent if there is none. */
  readonly bundlerFault?: () => string | undefined;
  /** Asks the bundlers on behalf of clients; absent if there are none, or they are not exposed. */
  readonly bundler?: BundlerList;
  /** Another paymaster, used while ours cannot sign; absent if there is none. */
  readonly vendor?: Vendor;
  /** The operator's hot wallet; absent where there is none. */
  readonly hotWallet?: ChainHotWallet;
  /** What is known of its nodes, in the order of `nodeUrls`. */
  readonly nodes?: () => readonly NodeState[];
  /** The configured keys, for the operator. */
  readonly signers?: () => SignersNow;
};

/** An answer for observers: the chain may be unknown to the service, and the mode is absent if it was not reached. */
type DecidedAnswer = {
  readonly chainId: number;
  readonly outcome: DecisionOutcome;
  readonly mode?: SponsorshipMode;
  readonly reason?: RefusalReason;
  /** It was signed although webhooks were down. */
};

/** A signed operation and its calls. */
export type SignedCalls = {
  readonly request: Pick<SponsorshipRequest, 'apiKey' | 'chainId'>;
  readonly decisionId: string;
  readonly operation: UserOperation;
  /** The kind of account that the caller named. */
  readonly account: SponsorshipContext['smartAccountInfo'] | undefined;
  readonly calls: readonly Pick<DecidedCall, 'target' | 'selector'>[];
};

/** The dependencies of a sponsorship's steps. */
export type SponsorshipParts = {
  readonly profiles: Pick<SponsorProfiles, 'find' | 'choose' | 'forget' | 'isCurrent'>;
  /** Takes one request from a key's rate. */
  readonly takeOfRate: TakeOfRate;
  /** Called with every apiKey used. */
  readonly noteUse?: NoteUse;
  /** Finds the errors with which a failed operation may have reverted. */
  readonly errors: RegisteredErrors;
  /** Limits concurrent simulations. */
  readonly simulations: SimulationTurns;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly holds: HoldQueue;
  /** Decides a hold without creating it. */
  readonly tryHold: HoldQueue['hold'];
  /** The funds available for an operation now, in wei. */
  readonly availableFunds: (request: FundsRequest) => Promise<bigint>;
  /** Whether a signed operation that gives this sender known code may still land; `besides` excludes the one of a nonce. */
  readonly hasOpenDeployment: (asked: {
    readonly chainId: number;
    readonly sender: Address;
    readonly besides?: bigint;
  }) => Promise<boolean>;
  readonly signatures: Pick<SignatureRecorder, 'record'>;
  readonly sign: (signer: Signer, digest: Hex) => Promise<Hex>;
  /** Sends operations that need no signature to a bundler. */
  readonly relays: RelayQueue;
  /** Stores decisions without a hold. */
  readonly decisions: Pick<DecisionRecorder, 'record'>;
  readonly webhooks: WebhookCaller;
  /** The stored questions to a second paymaster; absent if none is used, as in an explanation. */
  readonly vendorQuestions: VendorQuestions | undefined;
  /** The key lists behind URLs for verifying tickets. */
  readonly jwks: JwksCache;
  readonly quotes: QuoteStore;
  readonly validity: ValidityConfig;
  readonly holdCaps: HoldCaps;
  /** The keyed digest of a client's address, under which its open holds are counted. */
  readonly digestClient: (clientAddress: string) => string;
  readonly unpaidBudget: UnpaidBudget;
  /** Called with every answer, including refusals. */
  readonly noteDecision?: (decided: DecidedAnswer) => void;
  /** Called with every operation that is signed and whose calls are read. Returns at once. */
  readonly noteSigned?: (signed: SignedCalls) => void;
  /** Called with every answer of a second paymaster, and its maximum cost in millionths of a USD. */
  readonly noteVendor?: (answered: { readonly chainId: number; readonly usdMicros: bigint }) => void;
  readonly clock: Clock;
  readonly logger: Logger;
};
