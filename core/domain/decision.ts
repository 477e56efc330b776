import {
  decisionMethods,
  decisionOutcomes,
  fixActions,
  paymentWays,
  settlementStates,
  traceVerdicts,
} from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatuses } from '@tollfree/contract/operation-status';
import { z } from 'zod';
import {
  address,
  amount,
  chainId,
  flag,
  hex,
  listOf,
  message,
  optionalListOf,
  seconds,
  text,
  trueOrAbsent,
} from '../base/message-schema.ts';
import { refusalReason, tokenOffers } from './result/refusal.ts';
import { sponsorshipModes } from './sponsorship.ts';

/** The RPC operations that decide about a user operation. */
export { decisionMethods };
export type DecisionMethod = (typeof decisionMethods)[number];

export { decisionOutcomes };
export type DecisionOutcome = (typeof decisionOutcomes)[number];

/** What an account holder can do about a refusal. */
export { fixActions, traceVerdicts };

/**
 * What would change a refusal, for programs: which contract and method was refused, which field of the policy says no,
 * which webhook, how many wei have to be available.
 */
const FixSchema = message('Fix', {
  action: z.enum(fixActions),
  target: address.exactOptional(),
  selector: hex.exactOptional(),
  /** The field of the policy that says no. */
  policyField: text.exactOptional(),
  /** The webhook that said no, or nothing. */
  webhookId: text.exactOptional(),
  /** Wei that have to be available. */
  neededWei: amount.exactOptional(),
});
export type Fix = z.output<typeof FixSchema>;

/**
 * One rule of a decision: what it checked, what was allowed and used where it counts something, and what it found.
 * `remedy` says what would change a refusal, and `fix` says it to programs. The other texts are for people; `rule` is
 * stable.
 */
const TraceStepSchema = message('TraceStep', {
  rule: text,
  verdict: z.enum(traceVerdicts),
  checked: text,
  /** What was allowed, where it counts something. */
  limit: text.exactOptional(),
  /** What was asked for or used, where it counts something. */
  used: text.exactOptional(),
  remedy: text.exactOptional(),
  /** The same for programs. Absent where it is not for the account holder to do. */
  fix: FixSchema.exactOptional(),
});
export type TraceStep = z.output<typeof TraceStepSchema>;

/**
 * A call of an operation: its target, and the method's selector unless it only sends coin. `value` (wei) and `data` are
 * there when someone reads a decision that has recorded them.
 */
const DecidedCallSchema = message('DecidedCall', {
  target: address,
  /** The method. Absent: it only sends coin. */
  selector: hex.exactOptional(),
  /** Native coin it sends, in wei. Absent: not recorded. */
  value: amount.exactOptional(),
  /** Its call data. Absent: not recorded. */
  data: hex.exactOptional(),
});
export type DecidedCall = z.output<typeof DecidedCallSchema>;

/**
 * Whose code runs for an operation's sender: the kind of account, or in a sentence why it is not known, with the hash
 * of the code and the list of the operator's configuration that would make it known. `entry` is JSON of `accounts` of
 * that configuration, with all code that is missing.
 */
const DecidedAccountSchema = message('DecidedAccount', {
  /** Whether it makes the calls in its `callData`, and nothing else. */
  known: flag,
  /** The kind of account, or a sentence that says why it is not known. */
  text,
  codeHash: hex.exactOptional(),
  /** The list of the configuration that would make it known. */
  setting: text.exactOptional(),
  /** `accounts` of the configuration with all code that is missing, as JSON. */
  entry: text.exactOptional(),
});
export type DecidedAccount = z.output<typeof DecidedAccountSchema>;

/**
 * What was decided about an operation, as policies see it: all that a preview needs to decide again. `account`, `gas`
 * (the sum of the gas limits), `worstCase` in wei and `usdMicrosPerCoin` (millionths of a USD for 10^18 wei) are there
 * when the decision came that far.
 */
const DecisionFactsSchema = message('DecisionFacts', {
  calls: listOf(DecidedCallSchema),
  /** An operation that deploys its account and calls nothing. */
  deploysOnly: flag,
  /** Wei. */
  maxFeePerGas: amount,
  /** Whose code runs for the sender; absent when the decision did not come that far. */
  account: DecidedAccountSchema.exactOptional(),
  /** The attribution codes that its call data names (ERC-8021), each once. A caller's claim that no one checks. */
  attribution: optionalListOf(text),
  /** Whose ticket it was made with, as a digest. */
  subject: text.exactOptional(),
  /** The webhooks that were down, which it was sponsored without. Absent where it was without none. */
  withoutWebhooks: optionalListOf(text),
  /** The sum of its gas limits. Gas. */
  gas: amount.exactOptional(),
  /** The most it can cost. Wei. */
  worstCase: amount.exactOptional(),
  /** Millionths of a USD for 10^18 wei. */
  usdMicrosPerCoin: amount.exactOptional(),
});
export type DecisionFacts = z.output<typeof DecisionFactsSchema>;

/** Still open, landed, or given back. */
export { settlementStates };
export type SettlementState = (typeof settlementStates)[number];

/** How an operation is paid for. */
export { paymentWays };
export type PaymentWay = (typeof paymentWays)[number];

/** What a user paid for an operation in a token. */
const TokenPaymentSchema = message('TokenPayment', {
  token: address,
  /** In the token's base units. */
  amount,
});

/** What became of a signature: still open, landed (at a cost in wei, with or without success), or given back. */
export const SettlementSchema = message('Settlement', {
  state: z.enum(settlementStates),
  /** Who pays on chain: `CONTRACT`, `RELAY` or `UPSTREAM`. Absent from a core of an earlier version. */
  way: z.enum(paymentWays).exactOptional(),
  /** The most it can cost, in wei. */
  held: amount,
  /** What the gas tank paid, in wei. */
  charge: amount.exactOptional(),
  /** Whether the operation's own calls succeeded. */
  success: flag.exactOptional(),
  txHash: hex.exactOptional(),
  /** What the user paid for it in a token, in the token's base units. */
  tokenPayment: TokenPaymentSchema.exactOptional(),
  /** That the user was to pay and did not: the charge was the gas tank's. */
  unpaid: trueOrAbsent,
});
export type Settlement = z.output<typeof SettlementSchema>;

export type { OperationStatus };
export { operationStatuses };

/** An answer, yes or no, with the reasons for it. */
export const DecisionSchema = message('Decision', {
  decisionId: text,
  decidedAt: seconds,
  /**
   * The operation of this service that decided: `getFeeQuoteOrData`, `sponsorUserOperation`, `getPaymasterStubData` or
   * `getPaymasterData`.
   */
  method: z.enum(decisionMethods),
  chainId,
  outcome: z.enum(decisionOutcomes),
  /**
   * How far the operation came: `refused`, `quoted`, `signed`, `sent`, `included`, `failed`, `dropped`, `replaced`,
   * `expired` or `released`. Absent of an explanation.
   */
  status: z.enum(operationStatuses).exactOptional(),
  /**
   * The hash of the operation that was signed. Absent: nothing was signed, or an earlier decision had the same
   * signature.
   */
  userOperationHash: hex.exactOptional(),
  mode: z.enum(sponsorshipModes).exactOptional(),
  /** The named policy that decided; the default one when absent. */
  policyId: text.exactOptional(),
  /** Of a refusal. */
  reason: refusalReason.exactOptional(),
  message: text.exactOptional(),
  sender: address.exactOptional(),
  nonce: amount.exactOptional(),
  /** The fee token of token mode. */
  token: address.exactOptional(),
  /** Absent when the operation could not be read. */
  facts: DecisionFactsSchema.exactOptional(),
  /** Absent when nothing was held for it. */
  settlement: SettlementSchema.exactOptional(),
  /** Of an explanation: what the user may pay in instead, where a limit refuses and the policy says so. */
  tokenOffers: tokenOffers.exactOptional(),
  trace: listOf(TraceStepSchema),
  /**
   * JSON of what was asked, `method` and `params`, without secrets. Absent in lists, of an explanation, and where it was
   * too long to be kept.
   */
  requestJson: text.exactOptional(),
});
export type Decision = z.output<typeof DecisionSchema>;

/** Which decisions to list; all that are given must hold. Newest first. */
export const DecisionFilterSchema = message('DecisionFilter', {
  outcome: z.enum(decisionOutcomes).exactOptional(),
  reason: text.exactOptional(),
  sender: text.exactOptional(),
  mode: z.enum(sponsorshipModes).exactOptional(),
  /** As in `Decision`. */
  status: z.enum(operationStatuses).exactOptional(),
  /** Those whose operation landed in this transaction, on one page. */
  txHash: text.exactOptional(),
  /** From it on. */
  from: seconds.exactOptional(),
  /** Before it. */
  until: seconds.exactOptional(),
});
export type DecisionFilter = z.output<typeof DecisionFilterSchema>;

/** A page of decisions; `nextCursor` is absent on the last one. */
export const DecisionPageSchema = message('DecisionPage', {
  /** Newest first. May be empty, even when there is a next page. */
  decisions: listOf(DecisionSchema),
  /** Absent on the last page. */
  nextCursor: text.exactOptional(),
});

/** What would happen to a request now: the answer it would get, and why. Nothing is held or signed for it. */
export type Explanation = Omit<Decision, 'settlement' | 'status' | 'userOperationHash' | 'requestJson'>;
export const ExplanationSchema: z.ZodType<Explanation> = DecisionSchema;
