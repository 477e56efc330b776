import { omitAbsent } from '@tollfree/contract/omit-absent';
import { keepContents } from '../../decisions/decided-call.ts';
import { noteResult, noteRuling } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { readAttributionSuffix } from '../../evm/account-decoders/attribution-suffix.ts';
import type { InnerCall, ReadCalls } from '../../evm/account-decoders/decoder.ts';
import type { AskedCall } from '../../policies/call-rules/call-rules.ts';
import { ruleOnCalls, surplusOf } from '../../policies/rules/rule-on-calls.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import { type AccountKind, decodeInnerCalls } from './decode-inner-calls.ts';

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
  noteResult(draft, { rule: 'decode', checked: `${operation.callData.length / 2 - 1} bytes of callData` }, decoded);
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
