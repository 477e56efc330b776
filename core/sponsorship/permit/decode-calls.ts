import { omitAbsent } from '@tollfree/contract/omit-absent';
import { noteResult, noteRuling } from '../../decisions/decision-draft.ts';
import { keepContents } from '../../decisions/request-record.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { readAttributionSuffix } from '../../evm/account-decoders/attribution-suffix.ts';
import type { InnerCall, ReadCalls } from '../../evm/account-decoders/decoder.ts';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../evm/account-decoders/find-decoder.ts';
import type { AskedCall } from '../../policies/call-rules/call-rules.ts';
import { listCalls, ruleOnCalls, surplusOf } from '../../policies/rules/rule-on-calls.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked, Step } from '../run/steps.ts';

/**
 * The account's calls; `deploysOnly` when the operation creates it and calls nothing. `areUnread`: they could not be read and
 * none are listed, but no rule of the paymaster needs them.
 */
export type DecodedCalls = ReadCalls & { readonly deploysOnly: boolean; readonly areUnread?: true };

/** The account kind that the caller names; undefined to detect it from the calls. */
export type NamedAccount = { readonly account: AccountKind | undefined };

/** Most attribution codes stored per operation, each a row of usage: an app, a wallet and services. */
const maxAttributionCodes = 4;

/** A call in the form of rules and limits. */
export function withContent({ value, data, ...call }: InnerCall): AskedCall {
  return { content: { value, data }, ...call };
}

/**
 * Whether some rule of the paymaster decides by an operation's calls. Not if it sponsors all calls of any account, has no rules,
 * limits or caps on contracts, and asks no webhook. Tickets for certain calls refuse an operation without any.
 */
function needsCalls({ policy, webhooks }: Identified['profile']): boolean {
  const isWide = policy.sponsorAllCalls && policy.accounts === 'ANY' && policy.callRules.length === 0;
  const ofContracts = [...policy.limits, ...policy.methodGas].filter(({ contract }) => contract !== undefined);
  return !isWide || webhooks.length > 0 || ofContracts.length > 0;
}

/** Decodes the calls for the policy. */
export const decodeCalls: Step<
  Asked & Identified & ReadOperation & NamedAccount,
  DecodedCalls & Pick<ReadOperation, 'operation'>
> = ({ draft, profile, operation, account }) => {
  const deploysOnly = operation.callData === '0x' && operation.initCode !== '0x';
  const decoded: Result<ReadCalls> = deploysOnly ? accept({ calls: [] }) : decodeInnerCalls(operation, account);
  if (!decoded.ok) {
    // If nothing at all is sponsored here, clients pay for themselves, whatever the account.
    const nothing = ruleOnCalls(profile, { calls: [], deploysOnly: false });
    if (nothing.refusal !== undefined) {
      noteRuling(draft, nothing);
      return refuse(nothing.refusal);
    }
    if (!needsCalls(profile)) {
      noteRuling(draft, { rule: 'decode', finding: ['unread-calls', operation.callData.length / 2 - 1] });
      return accept({ calls: [], deploysOnly, areUnread: true, operation });
    }
  }
  noteResult(draft, { rule: 'decode', finding: ['decode', operation.callData.length / 2 - 1] }, decoded);
  if (!decoded.ok) return decoded;
  const { calls, attribution } = decoded.value;
  draft.calls = calls.map(({ target, selector }) => omitAbsent({ target, selector }));
  draft.listed = listCalls(profile.contracts, calls);
  draft.contents = keepContents(calls);
  draft.deploysOnly = deploysOnly;
  const surpluses = calls.flatMap((call) => surplusOf(profile.contracts, withContent(call)) ?? []);
  const ofCalls = surpluses.flatMap((surplus) => readAttributionSuffix(surplus)?.codes ?? []);
  const codes = [...new Set([...(attribution?.codes ?? []), ...ofCalls])].slice(0, maxAttributionCodes);
  if (codes.length > 0) draft.attribution = codes;
  const unpaidBytes = surpluses.reduce((sum, { length }) => sum + length, attribution?.bytes ?? 0);
  const priced = unpaidBytes === 0 ? operation : { ...operation, unpaidBytes };
  return accept({ ...omitAbsent({ attribution }), calls, deploysOnly, operation: priced });
};

/** A kind of smart account, by the name and version of its decoder. */
export type AccountKind = { readonly name: string; readonly version: string };

/**
 * The account's calls, or `CALL_NOT_UNDERSTOOD` with the reason. Every decoder is tried, and all that understand the call data
 * must read the same calls: clients name wrong kinds, and the sender's code is checked later. The named kind is asked only if
 * that fails.
 */
export function decodeInnerCalls(
  { callData, entryPointVersion }: UserOperation,
  account: AccountKind | undefined,
): Result<ReadCalls> {
  const detected = detectAccount(accountDecoders, callData, entryPointVersion);
  if (detected.understood) return accept(detected);
  const decoder = account && findAccountDecoder(account.name, account.version);
  const named = decoder?.decode(callData, entryPointVersion);
  if (named?.understood === true) return accept(named);
  if (account !== undefined && decoder === undefined && detected.knowsMethod !== true) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `sponsorshipInfo.smartAccountInfo names an unknown account: ${printable(account.name)} ${printable(account.version)}`,
      field: 'sponsorshipInfo.smartAccountInfo',
    });
  }
  const { why } = named?.knowsMethod === true ? named : detected;
  return refuse({
    reason: 'CALL_NOT_UNDERSTOOD',
    message: `The operation's callData could not be read: ${why}.`,
    field: 'callData',
  });
}

/** Text of a caller, safe for a message: short and printable. */
function printable(text: string): string {
  return text.slice(0, 32).replace(/[^\w.-]/g, '?');
}

/**
 * The calls of an operation paid in a token, if its policy binds them (`bindsPaid`); otherwise undefined. `judged` excludes
 * approvals of the paymaster contract, with which the user pays.
 */
export type PaidCalls = {
  readonly paidCalls: (DecodedCalls & { readonly judged: readonly InnerCall[] }) | undefined;
};
