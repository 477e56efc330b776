import {
  decisionMethods,
  decisionOutcomes,
  fixActions,
  paymentWays,
  settlementStates,
  traceVerdicts,
} from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatuses } from '@tollfree/contract/operation-status';
import type { Address, Hex } from 'viem';
import type { RefusalReason, TokenOffer } from './result/refusal.ts';
import type { SponsorshipMode } from './sponsorship.ts';

/** The RPC operations that decide about a user operation. */
export { decisionMethods };
export type DecisionMethod = (typeof decisionMethods)[number];

export { decisionOutcomes };
export type DecisionOutcome = (typeof decisionOutcomes)[number];

export { traceVerdicts };
export type TraceVerdict = (typeof traceVerdicts)[number];

/** What an account holder can do about a refusal. */
export { fixActions };
export type FixAction = (typeof fixActions)[number];

/**
 * What would change a refusal, for programs: which contract and method was refused, which field of the policy says no, which
 * webhook, how many wei have to be available.
 */
export type Fix = {
  readonly action: FixAction;
  readonly target?: Address;
  readonly selector?: Hex;
  readonly policyField?: string;
  readonly webhookId?: string;
  readonly neededWei?: bigint;
};

/**
 * One rule of a decision: what it checked, what was allowed and used where it counts something, and what it found.
 * `remedy` says what would change a refusal, and `fix` says it to programs. The other texts are for people; `rule` is stable.
 */
export type TraceStep = {
  readonly rule: string;
  readonly verdict: TraceVerdict;
  readonly checked: string;
  readonly limit?: string;
  readonly used?: string;
  readonly remedy?: string;
  readonly fix?: Fix;
};

/**
 * A call of an operation: its target, and the method's selector unless it only sends coin. `value` (wei) and `data` are there when
 * someone reads a decision that has recorded them.
 */
export type DecidedCall = {
  readonly target: Address;
  readonly selector?: Hex;
  readonly value?: bigint;
  readonly data?: Hex;
};

/**
 * Whose code runs for an operation's sender: the kind of account, or in a sentence why it is not known, with the hash of
 * the code and the list of the operator's configuration that would make it known. `entry` is JSON of `accounts` of that configuration, with all code
 * that is missing.
 */
export type DecidedAccount = {
  readonly known: boolean;
  readonly text: string;
  readonly codeHash?: Hex;
  readonly setting?: string;
  readonly entry?: string;
};

/**
 * What was decided about an operation, as policies see it: all that a preview needs to decide again. `account`, `gas` (the sum of the
 * gas limits), `worstCase` in wei and `usdMicrosPerCoin` (millionths of a USD for 10^18 wei) are there when the decision
 * came that far.
 */
export type DecisionFacts = {
  readonly calls: readonly DecidedCall[];
  /** An operation that deploys its account and calls nothing. */
  readonly deploysOnly: boolean;
  readonly maxFeePerGas: bigint;
  readonly account?: DecidedAccount;
  /** The attribution codes that its call data names (ERC-8021), each once. A caller's claim that no one checks. */
  readonly attribution?: readonly string[];
  /** Whose ticket it was made with, as a digest. */
  readonly subject?: string;
  /** The webhooks that were down, which it was sponsored without. */
  readonly withoutWebhooks?: readonly string[];
  readonly gas?: bigint;
  readonly worstCase?: bigint;
  readonly usdMicrosPerCoin?: bigint;
};

/** Still open, landed, or given back. */
export { settlementStates };
export type SettlementState = (typeof settlementStates)[number];

/** How an operation is paid for. */
export { paymentWays };
export type PaymentWay = (typeof paymentWays)[number];

/** What became of a signature: still open, landed (at a cost in wei, with or without success), or given back. */
export type Settlement = {
  readonly state: SettlementState;
  /** Always there; a core of an earlier version does not say it. */
  readonly way?: PaymentWay;
  /** The most it can cost, in wei. */
  readonly held: bigint;
  /** What the gas tank paid, in wei. */
  readonly charge?: bigint;
  readonly success?: boolean;
  readonly txHash?: Hex;
  /** What the user paid for it in a token, in the token's base units. */
  readonly tokenPayment?: { readonly token: Address; readonly amount: bigint };
  /** That the user was to pay and did not: the charge was the gas tank's. */
  readonly unpaid?: true;
};

export type { OperationStatus };
export { operationStatuses };

/** An answer, yes or no, with the reasons for it. */
export type Decision = {
  readonly decisionId: string;
  /** Unix seconds. */
  readonly decidedAt: number;
  readonly method: DecisionMethod;
  readonly chainId: number;
  readonly outcome: DecisionOutcome;
  /** How far the operation came; absent of an explanation. */
  readonly status?: OperationStatus;
  /** What was signed; absent when nothing was, or when an earlier decision had the same signature. */
  readonly userOperationHash?: Hex;
  readonly mode?: SponsorshipMode;
  /** The named policy that decided; the default one when absent. */
  readonly policyId?: string;
  /** Of a refusal. */
  readonly reason?: RefusalReason;
  readonly message?: string;
  readonly sender?: Address;
  readonly nonce?: bigint;
  /** The fee token of token mode. */
  readonly token?: Address;
  readonly facts?: DecisionFacts;
  readonly settlement?: Settlement;
  /** Of an explanation: what the user may pay in instead, where a limit refuses and the policy says so. */
  readonly tokenOffers?: readonly TokenOffer[];
  readonly trace: readonly TraceStep[];
  /** JSON of what was asked, `method` and `params`; absent in lists, of an explanation, and where it was too long to be kept. */
  readonly requestJson?: string;
};

/** Which decisions to list; all that are given must hold. Newest first. */
export type DecisionFilter = {
  readonly outcome?: DecisionOutcome;
  readonly reason?: string;
  readonly sender?: string;
  readonly mode?: SponsorshipMode;
  readonly status?: OperationStatus;
  /** Those whose operation landed in this transaction, on one page. */
  readonly txHash?: string;
  /** Unix seconds; from it on. */
  readonly from?: number;
  /** Unix seconds; before it. */
  readonly until?: number;
};

/** A page of decisions; `nextCursor` is absent on the last one. */
export type DecisionPage = { readonly decisions: readonly Decision[]; readonly nextCursor?: string };

/** What would happen to a request now: the answer it would get, and why. Nothing is held or signed for it. */
export type Explanation = Omit<Decision, 'settlement' | 'status' | 'userOperationHash' | 'requestJson'>;
