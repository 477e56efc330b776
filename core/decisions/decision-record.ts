import { getAddress } from 'viem';
import type { DecidedCall, DecisionFacts, TraceStep } from '../domain/decision.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import type { DecisionDraft } from './decision-draft.ts';

/** What the store keeps of a decision as one text. */
export type DecisionRecord = {
  readonly message?: string;
  readonly facts?: DecisionFacts;
  readonly trace: readonly TraceStep[];
};

/** Calls kept of one decision. */
const maxCalls = 100;

/** The facts of a decision that came as far as decoding its operation. Addresses are checksummed, as everywhere. */
export function factsOf(draft: DecisionDraft): DecisionFacts | undefined {
  const { operation, calls, deploysOnly = false, worstCase, usdMicrosPerCoin } = draft;
  if (operation === undefined || calls === undefined) return undefined;
  return {
    calls: calls.slice(0, maxCalls).map(({ target, selector }) => ({
      target: getAddress(target),
      ...omitAbsent({ selector }),
    })),
    deploysOnly,
    maxFeePerGas: operation.maxFeePerGas,
    ...omitAbsent({ worstCase, usdMicrosPerCoin }),
  };
}

/** Facts with their big numbers as decimal text. */
type FactsText = {
  calls: readonly DecidedCall[];
  deploysOnly: boolean;
  maxFeePerGas: string;
  worstCase?: string;
  usdMicrosPerCoin?: string;
};

export function encodeDecisionRecord({ message, facts, trace }: DecisionRecord): string {
  const factsText: FactsText | undefined = facts && {
    calls: facts.calls,
    deploysOnly: facts.deploysOnly,
    maxFeePerGas: facts.maxFeePerGas.toString(),
    ...omitAbsent({ worstCase: facts.worstCase?.toString(), usdMicrosPerCoin: facts.usdMicrosPerCoin?.toString() }),
  };
  return JSON.stringify({ message, facts: factsText, trace });
}

/** Reads what `encodeDecisionRecord` wrote. */
export function decodeDecisionRecord(text: string): DecisionRecord {
  // Only ever written by the function above.
  const { message, facts, trace } = JSON.parse(text) as {
    message?: string;
    facts?: FactsText;
    trace: readonly TraceStep[];
  };
  return {
    ...omitAbsent({ message, facts: facts === undefined ? undefined : readFacts(facts) }),
    trace,
  };
}

function readFacts({ maxFeePerGas, worstCase, usdMicrosPerCoin, ...facts }: FactsText): DecisionFacts {
  return {
    ...facts,
    maxFeePerGas: BigInt(maxFeePerGas),
    ...omitAbsent({
      worstCase: worstCase === undefined ? undefined : BigInt(worstCase),
      usdMicrosPerCoin: usdMicrosPerCoin === undefined ? undefined : BigInt(usdMicrosPerCoin),
    }),
  };
}
