import { randomUUID } from 'node:crypto';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import type { DecidedAccount, DecidedCall, DecisionMethod, TraceStep } from '../domain/decision.ts';
import type { Result } from '../domain/result/result.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { CallContent } from '../policies/call-rules/call-rules.ts';
import { type StoredFinding, textsOf } from '../policies/findings/finding.ts';
import type { Ruling } from '../policies/rules/ruling.ts';
import { fixOf, remedyOf } from './fix-of.ts';
import type { DecidedRequest } from './request-record.ts';

/** One rule of a decision, before its texts are made. It refused if there is a remedy. */
export type DraftStep = Pick<TraceStep, 'rule' | 'remedy' | 'fix'> & { readonly finding: StoredFinding };

/** A decision in progress: each step adds its findings, in order. Amounts in wei; `decidedAt` in Unix seconds. */
export type DecisionDraft = {
  readonly decisionId: string;
  readonly decidedAt: number;
  readonly method: DecisionMethod;
  readonly chainId: number;
  readonly trace: DraftStep[];
  /** What is decided about. */
  readonly request: DecidedRequest;
  paymasterId?: string;
  /** The named policy that decides; the default policy when absent. */
  policyId?: string;
  mode?: SponsorshipMode;
  operation?: UserOperation;
  token?: Address;
  calls?: readonly DecidedCall[];
  /** The calls' contents, as far as stored. */
  contents?: readonly (CallContent | null)[];
  deploysOnly?: boolean;
  account?: DecidedAccount;
  /** The attribution codes in its call data (ERC-8021); absent if there are none. */
  attribution?: readonly string[];
  /** The user of its ticket, as a digest. */
  subject?: string;
  /** The webhooks that were down and without which it was sponsored; absent if there were none. */
  withoutWebhooks?: readonly string[];
  gas?: bigint;
  worstCase?: bigint;
  usdMicrosPerCoin?: bigint;
  /** It is written with its hold: a second hold for it is not a second decision. */
  isKept?: boolean;
};

/** `now` in Unix milliseconds. */
export function draftDecision(method: DecisionMethod, request: DecidedRequest, now: number): DecisionDraft {
  const { chainId } = request;
  return { decisionId: timeOrderedUuid(now), decidedAt: Math.floor(now / 1_000), method, chainId, request, trace: [] };
}

/** Adds a rule's ruling to the trace. */
export function noteRuling(draft: DecisionDraft, { rule, finding, refusal }: Ruling): void {
  draft.trace.push(
    refusal === undefined
      ? { rule, finding }
      : { rule, finding, remedy: remedyOf(refusal), ...omitAbsent({ fix: fixOf(refusal) }) },
  );
}

/** A step with its texts. */
export function toTraceStep({ rule, finding, ...refused }: DraftStep): TraceStep {
  return { rule, verdict: refused.remedy === undefined ? 'passed' : 'refused', ...textsOf(finding), ...refused };
}

/** Adds a step's result to the trace and returns it. */
export function noteResult<T>(draft: DecisionDraft, seen: Omit<Ruling, 'refusal'>, result: Result<T>): Result<T> {
  noteRuling(draft, result.ok ? seen : { ...seen, refusal: result.refusal });
  return result;
}

/**
 * A UUID of version 7 (RFC 9562): it begins with the time in Unix milliseconds, so that new rows are adjacent in an index;
 * 74 of its bits are random.
 */
function timeOrderedUuid(milliseconds: number): string {
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
