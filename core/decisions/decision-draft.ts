import { randomUUID } from 'node:crypto';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type RpcRefusal, rpcRefusals } from '@tollfree/contract/rpc/refusals';
import { type Address, getAddress, isAddress, isHex } from 'viem';
import type { DecidedAccount, DecidedCall, DecisionMethod, Fix, ListedCalls, TraceStep } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import type { Result } from '../domain/result/result.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import type { CallContent } from '../policies/call-rules/call-rules.ts';
import { type StoredFinding, textsOf } from '../policies/findings/finding.ts';
import type { Ruling } from '../policies/rules/ruling.ts';
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
  /** The key of the paymaster that the request came with; its own when absent. */
  keyNumber?: number;
  /** The named policy that decides; the default policy when absent. */
  policyId?: string;
  mode?: SponsorshipMode;
  operation?: UserOperation;
  token?: Address;
  calls?: readonly DecidedCall[];
  /** Which of the calls are registered. */
  listed?: ListedCalls;
  /** The calls' contents, as far as stored. */
  contents?: readonly (CallContent | null)[];
  deploysOnly?: boolean;
  account?: DecidedAccount;
  /** The attribution codes in its call data (ERC-8021); absent if there are none. */
  attribution?: readonly string[];
  /** The user of its ticket, as a digest. */
  ticketUser?: string;
  gas?: bigint;
  callGas?: bigint;
  worstCase?: bigint;
  /** Of a relayed operation: the most that its bundle may cost, in wei per gas. */
  relayGasPrice?: bigint;
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
  draft.trace.push(refusal === undefined ? { rule, finding } : { rule, finding, ...adviceOf(refusal) });
}

/** Has the step that refused advise what fits the refusal as it was explained after the steps. */
export function noteExplained(draft: DecisionDraft, refusal: Refusal, explained: Refusal): void {
  const { remedy } = adviceOf(refusal);
  const step = draft.trace.findLast((each) => each.remedy === remedy);
  if (step === undefined) return;
  const { rule, finding } = step;
  draft.trace[draft.trace.lastIndexOf(step)] = { rule, finding, ...adviceOf(explained) };
}

function adviceOf(refusal: Refusal): Pick<DraftStep, 'fix'> & { readonly remedy: string } {
  return { remedy: remedyOf(refusal), ...omitAbsent({ fix: fixOf(refusal) }) };
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

/** When a decision began, in Unix milliseconds: by its id, or to the second for one of an earlier version of the service. */
export function decidedMs(decisionId: string, decidedAt: number): number {
  const isTimeOrdered = decisionId.charAt(14) === '7';
  return isTimeOrdered ? Number.parseInt(decisionId.slice(0, 8) + decisionId.slice(9, 13), 16) : decidedAt * 1_000;
}

const refusals: Readonly<Record<string, RpcRefusal>> = rpcRefusals;

/** What would change a refusal, in a sentence for the person who can. */
function remedyOf({ reason, details = {}, field }: Refusal): string {
  const { remedyFor, remedy = 'Change what the message names.' } = refusals[reason] ?? {};
  return remedyFor?.(details, field) ?? remedy.replaceAll('`', '');
}

/** What would change a refusal, as data; undefined if only the application can change it. */
export function fixOf({ reason, details = {}, limitKind }: Refusal): Fix | undefined {
  const { fixFor, fix } = refusals[reason] ?? {};
  const found = fixFor === undefined ? fix : fixFor(details, limitKind);
  if (found === undefined) return undefined;
  const { action, target, selector, policyField, webhookId, neededWei } = found;
  return {
    action,
    ...omitAbsent({
      policyField,
      webhookId,
      target: target !== undefined && isAddress(target, { strict: false }) ? getAddress(target) : undefined,
      selector: isHex(selector) ? selector : undefined,
      neededWei: toAmount(neededWei),
    }),
  };
}

function toAmount(digits: string | undefined): bigint | undefined {
  return digits !== undefined && /^\d{1,78}$/.test(digits) ? BigInt(digits) : undefined;
}
