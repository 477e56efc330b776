import {
  DecisionFactsSchema,
  DecisionFilterSchema,
  DecisionPageSchema,
  DecisionSchema,
  ExplainSponsorshipRequestSchema,
  ListDecisionsRequestSchema,
  ReadDecisionRequestSchema,
  SettlementSchema,
  TraceStepSchema,
} from '../../../proto/gen/tollfree/core/v1/decision_pb.ts';
import type {
  Decision,
  DecisionFacts,
  DecisionFilter,
  DecisionPage,
  Explanation,
  Settlement,
  TraceStep,
} from '../../domain/decision.ts';
import type { Input } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readReason } from './refusal-messages.ts';
import {
  readAddress,
  readBigint,
  readChainId,
  readHex,
  readOneOf,
  readOptionalSeconds,
  readSeconds,
  writeBigint,
  writeChainId,
  writeOptionalSeconds,
  writeSeconds,
} from './scalars.ts';
import { sponsorshipContextConverter } from './sponsorship-context-messages.ts';
import { userOperationConverter } from './user-operation-messages.ts';

const methods = ['getFeeQuoteOrData', 'sponsorUserOperation', 'getPaymasterStubData', 'getPaymasterData'] as const;
const outcomes = ['signed', 'quoted', 'stub', 'refused'] as const;
const modes = ['SPONSORED', 'ERC20'] as const;

/** Reads or writes a value that is there. */
function ifThere<From, To>(value: From | undefined, convert: (value: From) => To): To | undefined {
  return value === undefined ? undefined : convert(value);
}

const traceStepConverter = converter(
  TraceStepSchema,
  (step: TraceStep) => step,
  ({ rule, verdict, checked, limit, used, remedy }): TraceStep =>
    omitAbsent({ rule, verdict: readOneOf(['passed', 'refused'], verdict), checked, limit, used, remedy }),
);

const factsConverter = converter(
  DecisionFactsSchema,
  ({ calls, maxFeePerGas, worstCase, usdMicrosPerCoin, deploysOnly }: DecisionFacts) =>
    omitAbsent({
      calls: [...calls],
      deploysOnly,
      maxFeePerGas: writeBigint(maxFeePerGas),
      worstCase: ifThere(worstCase, writeBigint),
      usdMicrosPerCoin: ifThere(usdMicrosPerCoin, writeBigint),
    }),
  ({ calls, maxFeePerGas, worstCase, usdMicrosPerCoin, deploysOnly }): DecisionFacts =>
    omitAbsent({
      calls: calls.map(({ target, selector }) =>
        omitAbsent({ target: readAddress(target), selector: ifThere(selector, readHex) }),
      ),
      deploysOnly,
      maxFeePerGas: readBigint(maxFeePerGas),
      worstCase: ifThere(worstCase, readBigint),
      usdMicrosPerCoin: ifThere(usdMicrosPerCoin, readBigint),
    }),
);

const settlementConverter = converter(
  SettlementSchema,
  ({ tokenPayment, ...settlement }: Settlement) =>
    omitAbsent({
      ...settlement,
      held: writeBigint(settlement.held),
      charge: ifThere(settlement.charge, writeBigint),
      tokenPayment: ifThere(tokenPayment, ({ token, amount }) => ({ token, amount: writeBigint(amount) })),
    }),
  ({ state, held, charge, success, txHash, tokenPayment }): Settlement =>
    omitAbsent({
      state: readOneOf(['live', 'settled', 'released'], state),
      held: readBigint(held),
      charge: ifThere(charge, readBigint),
      success,
      txHash: ifThere(txHash, readHex),
      tokenPayment: ifThere(tokenPayment, ({ token, amount }) => ({
        token: readAddress(token),
        amount: readBigint(amount),
      })),
    }),
);

export const decisionConverter = converter(
  DecisionSchema,
  (decision: Decision) =>
    omitAbsent({
      ...decision,
      decidedAt: writeSeconds(decision.decidedAt),
      chainId: writeChainId(decision.chainId),
      nonce: ifThere(decision.nonce, writeBigint),
      facts: ifThere(decision.facts, factsConverter.toMessage),
      settlement: ifThere(decision.settlement, settlementConverter.toMessage),
      trace: decision.trace.map(traceStepConverter.toMessage),
    }),
  (message): Decision =>
    omitAbsent({
      decisionId: message.decisionId,
      decidedAt: readSeconds(message.decidedAt),
      method: readOneOf(methods, message.method),
      chainId: readChainId(message.chainId),
      outcome: readOneOf(outcomes, message.outcome),
      mode: ifThere(message.mode, (mode) => readOneOf(modes, mode)),
      reason: ifThere(message.reason, readReason),
      message: message.message,
      sender: ifThere(message.sender, readAddress),
      nonce: ifThere(message.nonce, readBigint),
      token: ifThere(message.token, readAddress),
      facts: ifThere(message.facts, factsConverter.toDomain),
      settlement: ifThere(message.settlement, settlementConverter.toDomain),
      trace: message.trace.map(traceStepConverter.toDomain),
    }),
);

/** An explanation is a decision without a settlement. */
export const explanationConverter = converter(
  DecisionSchema,
  (explanation: Explanation) => decisionConverter.toMessage(explanation),
  (message): Explanation => decisionConverter.toDomain(message),
);

export const decisionPageConverter = converter(
  DecisionPageSchema,
  ({ decisions, nextCursor }: DecisionPage) =>
    omitAbsent({ decisions: decisions.map(decisionConverter.toMessage), nextCursor }),
  ({ decisions, nextCursor }): DecisionPage =>
    omitAbsent({ decisions: decisions.map(decisionConverter.toDomain), nextCursor }),
);

const filterConverter = converter(
  DecisionFilterSchema,
  (filter: DecisionFilter) =>
    omitAbsent({
      ...filter,
      from: writeOptionalSeconds(filter.from),
      until: writeOptionalSeconds(filter.until),
    }),
  ({ outcome, reason, sender, mode, from, until }): DecisionFilter =>
    omitAbsent({
      outcome: ifThere(outcome, (one) => readOneOf(outcomes, one)),
      reason,
      sender,
      mode: ifThere(mode, (one) => readOneOf(modes, one)),
      from: readOptionalSeconds(from),
      until: readOptionalSeconds(until),
    }),
);

export const listDecisionsInput = converter(
  ListDecisionsRequestSchema,
  ({ filter, ...input }: Input<'listDecisions'>) => ({ ...input, filter: filterConverter.toMessage(filter) }),
  ({ accountId, paymasterId, filter, cursor, limit }): Input<'listDecisions'> =>
    omitAbsent({
      accountId,
      paymasterId,
      filter: filter === undefined ? {} : filterConverter.toDomain(filter),
      cursor,
      limit,
    }),
);

export const readDecisionInput = converter(
  ReadDecisionRequestSchema,
  (input: Input<'readDecision'>) => input,
  ({ accountId, paymasterId, decisionId }): Input<'readDecision'> => ({ accountId, paymasterId, decisionId }),
);

export const explainSponsorshipInput = converter(
  ExplainSponsorshipRequestSchema,
  ({ userOperation, context, ...input }: Input<'explainSponsorship'>) => ({
    ...input,
    userOperation: userOperationConverter.toMessage(userOperation),
    context: sponsorshipContextConverter.toMessage(context),
  }),
  ({ accountId, paymasterId, method, userOperation, context, entryPoint, askWebhooks }): Input<'explainSponsorship'> =>
    omitAbsent({
      accountId,
      paymasterId,
      method: readOneOf(methods, method),
      userOperation: userOperation === undefined ? {} : userOperationConverter.toDomain(userOperation),
      context: context === undefined ? { sponsorshipInfoGiven: false } : sponsorshipContextConverter.toDomain(context),
      entryPoint,
      askWebhooks,
    }),
);
