import { randomUUID } from 'node:crypto';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type RpcRefusal, rpcRefusals } from '@tollfree/contract/rpc/refusals';
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem';
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

/** When a decision began, in Unix milliseconds: by its id, or to the second for one of an earlier version of the service. */
export function decidedMs(decisionId: string, decidedAt: number): number {
  const isTimeOrdered = decisionId.charAt(14) === '7';
  return isTimeOrdered ? Number.parseInt(decisionId.slice(0, 8) + decisionId.slice(9, 13), 16) : decidedAt * 1_000;
}

type Details = Readonly<Record<string, string>>;

/** What the account holder can do about a refusal, as data; undefined if they cannot fix it. */
export function fixOf(refusal: Refusal): Fix | undefined {
  const { reason, details = {} } = refusal;
  switch (reason) {
    case 'NO_POLICIES':
    case 'CONTRACT_NOT_REGISTERED':
      return { action: 'register-contract', ...calledIn(details) };
    case 'METHOD_NOT_WHITELISTED':
      if (details.policy !== undefined) return changePolicy(details.policy);
      // A plain coin transfer has no method.
      return details.selector === undefined
        ? { ...changePolicy('sponsorAllCalls'), ...calledIn(details) }
        : { action: 'whitelist-method', ...calledIn(details) };
    case 'ARGUMENT_NOT_ALLOWED':
      return { ...changePolicy('callRules'), ...calledIn(details) };
    case 'USER_PAYS_SHARE':
      return changePolicy('userPaysPercent');
    case 'RELAY_REQUIRED':
    case 'RELAY_NOT_ALLOWED':
      return changePolicy('relay');
    case 'ACCOUNT_NOT_KNOWN':
      return changePolicy('accounts');
    case 'SENDER_BLOCKED':
    case 'TOKEN_NOT_SUPPORTED': {
      const field = details.list ?? details.policy;
      return field === undefined ? undefined : changePolicy(field);
    }
    case 'LIMIT_EXCEEDED':
      return fixLimit(refusal.limitKind, details);
    case 'WEBHOOK_REFUSED':
    case 'WEBHOOK_UNAVAILABLE':
      return { action: 'look-at-webhook', ...omitAbsent({ webhookId: details.webhookId }) };
    case 'INSUFFICIENT_FUNDS':
      return { action: 'deposit', ...omitAbsent({ neededWei: toAmount(details.needed) }) };
    default:
      return undefined;
  }
}

function calledIn({ target, selector }: Details): Pick<Fix, 'target' | 'selector'> {
  return {
    ...(target !== undefined && isAddress(target, { strict: false }) ? { target: getAddress(target) } : {}),
    ...(selector !== undefined && isHex(selector) ? { selector: selector as Hex } : {}),
  };
}

/** `path` of the field in the policy: the fields of the policy itself are what people change. */
function changePolicy(path: string): Fix {
  return { action: 'change-policy', policyField: path.split('.', 1)[0] ?? path };
}

function fixLimit(kind: Refusal['limitKind'], { limit }: Details): Fix | undefined {
  switch (kind) {
    case 'POLICY_CAP':
    case 'PERIOD':
      return limit === undefined ? undefined : changePolicy(limit);
    case 'SCHEDULE':
      return changePolicy('pauses');
    case 'POLICY_LIMIT':
      return changePolicy('limits');
    default:
      return undefined;
  }
}

function toAmount(digits: string | undefined): bigint | undefined {
  return digits !== undefined && /^\d{1,78}$/.test(digits) ? BigInt(digits) : undefined;
}

const refusals: Readonly<Record<string, RpcRefusal>> = rpcRefusals;

/** What would change a refusal, in a sentence for the person who can. */
function remedyOf({ reason, details = {}, field }: Refusal): string {
  const { remedyFor, remedy = 'Change what the message names.' } = refusals[reason] ?? {};
  return remedyFor?.(details, field) ?? remedy.replaceAll('`', '');
}
