import { omitAbsent } from '@tollfree/contract/omit-absent';
import { noteResult, noteRuling } from '../../decisions/decision-draft.ts';
import { keepContents } from '../../decisions/request-record.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { readAttributionSuffix } from '../../evm/account-decoders/attribution-suffix.ts';
import type { InnerCall, ReadCalls } from '../../evm/account-decoders/decoder.ts';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../evm/account-decoders/find-decoder.ts';
import type { AskedCall } from '../../policies/call-rules/call-rules.ts';
import { ruleOnCalls, surplusOf } from '../../policies/rules/rule-on-calls.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked, Step } from '../run/steps.ts';

/** The account's calls; `deploysOnly` when the operation creates it and calls nothing. */
export type DecodedCalls = ReadCalls & { readonly deploysOnly: boolean };

/** The account kind that the caller names; undefined to detect it from the calls. */
export type NamedAccount = { readonly account: AccountKind | undefined };

/** Most attribution codes stored per operation, each a row of usage: an app, a wallet and services. */
const maxAttributionCodes = 4;

/** A call in the form of rules and limits. */
export function withContent({ value, data, ...call }: InnerCall): AskedCall {
  return { content: { value, data }, ...call };
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
  }
  noteResult(draft, { rule: 'decode', finding: ['decode', operation.callData.length / 2 - 1] }, decoded);
  if (!decoded.ok) return decoded;
  const { calls, attribution } = decoded.value;
  draft.calls = calls.map(({ target, selector }) => omitAbsent({ target, selector }));
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
 * The account's calls, or `CALL_NOT_UNDERSTOOD` with the reason. Without a named kind, every decoder is tried, and all that
 * understand the call data must read the same calls.
 */
export function decodeInnerCalls(operation: UserOperation, account: AccountKind | undefined): Result<ReadCalls> {
  if (account === undefined) return detectInnerCalls(operation);
  const decoder = findAccountDecoder(account.name, account.version);
  if (decoder === undefined) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `sponsorshipInfo.smartAccountInfo names an unknown account: ${printable(account.name)} ${printable(account.version)}`,
      field: 'sponsorshipInfo.smartAccountInfo',
    });
  }
  const decoded = decoder.decode(operation.callData, operation.entryPointVersion);
  if (decoded.understood) return accept(decoded);
  return refuse({
    reason: 'CALL_NOT_UNDERSTOOD',
    message: `The operation's callData could not be read as calls of a ${decoder.name} ${decoder.version} account: ${decoded.why}.`,
    field: 'callData',
  });
}

function detectInnerCalls({ callData, entryPointVersion }: UserOperation): Result<ReadCalls> {
  const detected = detectAccount(accountDecoders, callData, entryPointVersion);
  if (detected.understood) return accept(detected);
  return refuse({
    reason: 'CALL_NOT_UNDERSTOOD',
    message: `The operation's callData could not be read: ${detected.why}. Naming the account in sponsorshipInfo.smartAccountInfo may help.`,
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
