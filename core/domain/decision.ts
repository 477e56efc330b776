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

/** The RPC operations that make decisions about a user operation. */
export { decisionMethods };
export type DecisionMethod = (typeof decisionMethods)[number];

export { decisionOutcomes };
export type DecisionOutcome = (typeof decisionOutcomes)[number];

/** What an account holder can do about a refusal. */
export { fixActions, traceVerdicts };

/**
 * What would change a refusal, for programs: the refused contract and method, the policy field or the webhook that refused,
 * the wei that must be available.
 */
const FixSchema = message('Fix', {
  action: z.enum(fixActions),
  target: address.exactOptional(),
  selector: hex.exactOptional(),
  /** The field of the policy that refused. */
  policyField: text.exactOptional(),
  /** The webhook that refused or gave no answer. */
  webhookId: text.exactOptional(),
  /** Wei that must be available. */
  neededWei: amount.exactOptional(),
});
export type Fix = z.output<typeof FixSchema>;

/**
 * One rule of a decision: what it checked, the allowed and used amounts if it counts something, and its result. `remedy`
 * says what would change a refusal, and `fix` is the same for programs. The other texts are for people; `rule` is stable.
 */
const TraceStepSchema = message('TraceStep', {
  rule: text,
  verdict: z.enum(traceVerdicts),
  checked: text,
  /** The allowed amount, if the rule counts something. */
  limit: text.exactOptional(),
  /** The requested or used amount, if the rule counts something. */
  used: text.exactOptional(),
  remedy: text.exactOptional(),
  /** The same for programs. Absent if the account holder cannot fix it. */
  fix: FixSchema.exactOptional(),
});
export type TraceStep = z.output<typeof TraceStepSchema>;

/**
 * A call of an operation: its target, and the method's selector unless it only sends coin. `value` (wei) and `data` are
 * present when reading a decision that has recorded them.
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
 * Whose code runs for an operation's sender: the kind of account, or a sentence that says why it is not known, with the hash
 * of the code and the list in the operator's configuration that would make it known. `entry` is JSON of `accounts` of that
 * configuration, with all missing code.
 */
const DecidedAccountSchema = message('DecidedAccount', {
  /** Whether it only makes the calls in its `callData`. */
  known: flag,
  /** The kind of account, or a sentence that says why it is not known. */
  text,
  codeHash: hex.exactOptional(),
  /** The list in the configuration that would make it known. */
  setting: text.exactOptional(),
  /** `accounts` of the configuration with all missing code, as JSON. */
  entry: text.exactOptional(),
});
export type DecidedAccount = z.output<typeof DecidedAccountSchema>;

/**
 * The facts of a decision that policies use: everything that a preview needs to decide again. `account`, `gas` (the sum of
 * the gas limits), `worstCase` in wei and `usdMicrosPerCoin` (millionths of a USD for 10^18 wei) are present if the decision
 * got that far.
 */
const DecisionFactsSchema = message('DecisionFacts', {
  calls: listOf(DecidedCallSchema),
  /** The operation deploys its account and calls nothing. */
  deploysOnly: flag,
  /** Wei. */
  maxFeePerGas: amount,
  /** Whose code runs for the sender; absent if the decision did not get that far. */
  account: DecidedAccountSchema.exactOptional(),
  /** The attribution codes in its call data (ERC-8021), without duplicates. An unverified claim of the caller. */
  attribution: optionalListOf(text),
  /** The user of its ticket, as a digest. */
  subject: text.exactOptional(),
  /** The webhooks that were down and without which it was sponsored. Absent if there were none. */
  withoutWebhooks: optionalListOf(text),
  /** The sum of its gas limits. Gas. */
  gas: amount.exactOptional(),
  /** The most it can cost. Wei. */
  worstCase: amount.exactOptional(),
  /** Millionths of a USD for 10^18 wei. */
  usdMicrosPerCoin: amount.exactOptional(),
});
export type DecisionFacts = z.output<typeof DecisionFactsSchema>;

/** Still open, landed, or released. */
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

/** The outcome of a signature: still open, landed (at a cost in wei, with or without success), or released. */
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
  /** True if the user should have paid but did not: the gas tank bore the charge. */
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
   * How far the operation got: `refused`, `quoted`, `signed`, `sent`, `included`, `failed`, `dropped`, `replaced`, `expired`
   * or `released`. Absent for an explanation.
   */
  status: z.enum(operationStatuses).exactOptional(),
  /**
   * The hash of the operation that was signed. Absent: nothing was signed, or an earlier decision had the same
   * signature.
   */
  userOperationHash: hex.exactOptional(),
  mode: z.enum(sponsorshipModes).exactOptional(),
  /** The named policy that decided; the default policy when absent. */
  policyId: text.exactOptional(),
  /** For a refusal. */
  reason: refusalReason.exactOptional(),
  message: text.exactOptional(),
  sender: address.exactOptional(),
  nonce: amount.exactOptional(),
  /** The fee token of token mode. */
  token: address.exactOptional(),
  /** Absent when the operation could not be read. */
  facts: DecisionFactsSchema.exactOptional(),
  /** Absent when there was no hold. */
  settlement: SettlementSchema.exactOptional(),
  /** For an explanation: what the user may pay in instead, if a limit refuses and the policy offers it. */
  tokenOffers: tokenOffers.exactOptional(),
  trace: listOf(TraceStepSchema),
  /**
   * JSON of the request, `method` and `params`, without secrets. Absent in lists, in an explanation, and if it was too long
   * to store.
   */
  requestJson: text.exactOptional(),
});
export type Decision = z.output<typeof DecisionSchema>;

/** Which decisions to list; all given conditions must hold. Newest first. */
export const DecisionFilterSchema = message('DecisionFilter', {
  outcome: z.enum(decisionOutcomes).exactOptional(),
  reason: text.exactOptional(),
  sender: text.exactOptional(),
  mode: z.enum(sponsorshipModes).exactOptional(),
  /** As in `Decision`. */
  status: z.enum(operationStatuses).exactOptional(),
  /** Those whose operation landed in this transaction, on one page. */
  txHash: text.exactOptional(),
  /** Start, inclusive. */
  from: seconds.exactOptional(),
  /** End, exclusive. */
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

/** What would happen to a request now: its answer, and why. Nothing is held or signed. */
export type Explanation = Omit<Decision, 'settlement' | 'status' | 'userOperationHash' | 'requestJson'>;
export const ExplanationSchema: z.ZodType<Explanation> = DecisionSchema;
