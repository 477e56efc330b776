import * as api from '@tollfree/contract/decision-fields';
import * as fixApi from '@tollfree/contract/fix';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import * as userOperationApi from '@tollfree/contract/user-operation';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';
import { refusalReason, tokenOffers } from './result/refusal.ts';

/** The RPC operations that make decisions about a user operation. */
export const { decisionMethods } = api;
export type DecisionMethod = (typeof decisionMethods)[number];

export type DecisionOutcome = (typeof api.decisionOutcomes)[number];

/** What the owner of a paymaster, or the operator, can do about a refusal. */
export const { fixActions } = fixApi;

/**
 * What would change a refusal, for programs: the refused contract and method, the policy field or the webhook that refused,
 * the wei that must be available.
 */
const FixSchema = message('Fix', fieldsOfApi(fixApi.FixSchema));
export type Fix = z.output<typeof FixSchema>;

/**
 * One rule of a decision: what it checked, the allowed and used amounts if it counts something, and its result. `remedy`
 * says what would change a refusal, and `fix` is the same for programs. The other texts are for people; `rule` is stable.
 */
const TraceStepSchema = message('TraceStep', fieldsOfApi(api.TraceStepSchema, { fix: FixSchema }));
export type TraceStep = z.output<typeof TraceStepSchema>;

/**
 * A call of an operation: its target, and the method's selector unless it only sends coin. `value` (wei) and `data` are
 * present when reading a decision that has recorded them.
 */
const DecidedCallSchema = message('DecidedCall', fieldsOfApi(api.DecidedCallSchema));
export type DecidedCall = z.output<typeof DecidedCallSchema>;

/** The first call of an operation, and how many there are. */
export const FirstCallSchema = message('FirstCall', fieldsOfApi(api.FirstCallSchema));

/** The first of an operation's calls; undefined if it makes none. */
export function firstOf(calls: readonly DecidedCall[]): z.output<typeof FirstCallSchema> | undefined {
  const [first] = calls;
  if (first === undefined) return undefined;
  return { target: first.target, ...omitAbsent({ selector: first.selector }), count: calls.length };
}

/**
 * How the paymaster knows each call of an operation, in order, a letter each: `m` for a whitelisted method, `c` for another method of
 * a registered contract, `-` for any other contract.
 */
export type ListedCalls = string;

/**
 * Whose code runs for an operation's sender: the kind of account, or a sentence that says why it is not known, with the hash
 * of the code and the list in the operator's configuration that would make it known. `entry` is JSON of `accounts` of that
 * configuration, with all missing code.
 */
const DecidedAccountSchema = message('DecidedAccount', fieldsOfApi(api.DecidedAccountSchema));
export type DecidedAccount = z.output<typeof DecidedAccountSchema>;

/**
 * The facts of a decision that policies use: everything that a preview needs to decide again. `account`, `gas` (the sum of
 * the gas limits), `callGas` (`callGasLimit`), `worstCase` in wei and `usdMicrosPerCoin` (millionths of a USD for 10^18 wei) are present if the decision
 * got that far.
 */
const DecisionFactsSchema = message(
  'DecisionFacts',
  fieldsOfApi(api.DecisionFactsSchema, { calls: DecidedCallSchema, account: DecidedAccountSchema }),
);
export type DecisionFacts = z.output<typeof DecisionFactsSchema>;

/** Still open, landed, or released. */
export type SettlementState = (typeof api.settlementStates)[number];

/** How an operation is paid for. */
export type Payer = (typeof api.payers)[number];

/** What a user paid for an operation in a token. */
const TokenPaymentSchema = message('TokenPayment', fieldsOfApi(api.TokenPaymentSchema));

/** The outcome of a signature: still open, landed (at a cost in wei, with or without success), or released. */
export const SettlementSchema = message(
  'Settlement',
  fieldsOfApi(api.SettlementSchema, { tokenPayment: TokenPaymentSchema }),
);
export type Settlement = z.output<typeof SettlementSchema>;

/** An answer, yes or no, with the reasons for it. */
export const DecisionSchema = message('Decision', {
  ...fieldsOfApi(api.DecisionSchema, {
    method: z.enum(decisionMethods),
    reason: refusalReason,
    facts: DecisionFactsSchema,
    settlement: SettlementSchema,
    trace: TraceStepSchema,
  }),
  /** For an explanation: what the user may pay in instead, if a limit refuses and the policy offers it. */
  tokenOffers: tokenOffers.exactOptional(),
});
export type Decision = z.output<typeof DecisionSchema>;

/** Which decisions to list; all given conditions must hold. Newest first. */
export const DecisionFilterSchema = message(
  'DecisionFilter',
  fieldsOfApi(api.ListDecisionsQuerySchema.omit({ cursor: true, limit: true })),
);
export type DecisionFilter = z.output<typeof DecisionFilterSchema>;

/** A page of decisions; `nextCursor` is absent on the last one. */
export const DecisionPageSchema = message(
  'DecisionPage',
  fieldsOfApi(api.DecisionPageSchema, { decisions: DecisionSchema }),
);

/** What would happen to a request now: its answer, and why. Nothing is held or signed. */
export type Explanation = Omit<Decision, 'settlement' | 'status' | 'userOperationHash' | 'requestJson'>;
export const ExplanationSchema: z.ZodType<Explanation> = DecisionSchema;

/**
 * A step in an operation's life. `at`: when the service recorded it, in Unix seconds; for a landing once it was confirmed.
 */
const OperationStepSchema = message('OperationStep', fieldsOfApi(userOperationApi.OperationStepSchema));
export type OperationStep = z.output<typeof OperationStepSchema>;

/** A signed user operation, from the signature to its end. Amounts in wei. */
export const OperationLifeSchema = message(
  'OperationLife',
  fieldsOfApi(userOperationApi.OperationLifeSchema, { steps: OperationStepSchema, tokenPayment: TokenPaymentSchema }),
);
export type OperationLife = z.output<typeof OperationLifeSchema>;
