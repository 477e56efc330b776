import { decodeErrorResult, type Hex, size, slice } from 'viem';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import { explainAaCode, findAaCode } from './aa-codes.ts';
import { failureAbi } from './simulation-abi.ts';

/** Longest text of a contract that is repeated in an answer, in characters. */
const quotedTextLength = 200;

/** Why the EntryPoint did not take an operation, and which limit may be the cause. */
export type EntryPointFailure = { readonly refusal: Refusal; readonly shortLimit?: keyof GasLimits };

type DecodedFailure = { readonly text: string; readonly inner: Hex };

/** Revert data in short: `Error("…")`, `Panic(0x11)`, a custom error's selector; `none` for no data. */
export function describeRevert(data: Hex): string {
  if (size(data) < 4) return 'none';
  const decoded = decode(data);
  if (decoded?.errorName === 'Error') return `Error("${quote(decoded.args[0])}")`;
  if (decoded?.errorName === 'Panic') return `Panic(0x${decoded.args[0].toString(16)})`;
  return slice(data, 0, 4);
}

/** Text of a contract or service as it may stand in an answer: one line, printable ASCII, bounded. */
export function quote(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, quotedTextLength);
}

/** Reads what an EntryPoint or its simulation reverted with. */
export function readEntryPointFailure(data: Hex, version: EntryPointVersion): EntryPointFailure {
  const failure = decodeFailure(data);
  const code = failure === undefined ? undefined : findAaCode(failure.text);
  if (failure === undefined || code === undefined) {
    const revert = describeRevert(data);
    return {
      refusal: {
        reason: 'ESTIMATION_FAILED',
        message: `The EntryPoint does not take the operation (revert ${revert}).`,
        field: 'sender',
        details: { revert },
      },
    };
  }
  const { refusal, shortLimit } = explainFailure(code, version, innerRevert(failure));
  return isWithoutReason(failure) && shortLimit !== undefined ? { refusal, shortLimit } : { refusal };
}

/** The refusal for an `AAxx` code, with the revert of account, factory or paymaster behind it where there is one. */
export function explainFailure(code: string, version: EntryPointVersion, revert?: string): EntryPointFailure {
  const { field, advice, shortLimit } = explainAaCode(code);
  const refusal: Refusal = {
    reason: 'ESTIMATION_FAILED',
    message: `${advice} (${code}${revert === undefined ? '' : `, revert ${revert}`})`,
    field,
    details: { aaCode: code, ...(revert === undefined ? {} : { revert }) },
  };
  if (shortLimit === undefined) return { refusal };
  return {
    refusal,
    shortLimit: version === '0.6' && shortLimit.startsWith('paymaster') ? 'verificationGasLimit' : shortLimit,
  };
}

/** The refusal for an operation whose own call reverts. Running out of gas leaves no revert data. */
export function executionReverted(revertData: Hex): Refusal {
  const revert = describeRevert(revertData);
  const how = revert === 'none' ? 'without a reason, or needs more gas than is allowed' : `with ${revert}`;
  return {
    reason: 'ESTIMATION_FAILED',
    message: `The operation's call reverts ${how}.`,
    field: 'callData',
    details: { revert },
  };
}

function decode(data: Hex) {
  try {
    return decodeErrorResult({ abi: failureAbi, data });
  } catch {
    return undefined;
  }
}

function decodeFailure(data: Hex): DecodedFailure | undefined {
  const decoded = decode(data);
  switch (decoded?.errorName) {
    case 'FailedOp':
      return { text: decoded.args[1], inner: '0x' };
    case 'FailedOpWithRevert':
      return { text: decoded.args[1], inner: decoded.args[2] };
    case 'Error':
      return { text: decoded.args[0], inner: '0x' };
    default:
      return undefined;
  }
}

/** 0.6 puts the inner reason into the text (`AA23 reverted: …`), later versions the revert data beside it. */
function innerRevert({ text, inner }: DecodedFailure): string | undefined {
  if (size(inner) >= 4) return describeRevert(inner);
  const reason = / reverted: (.*)$/s.exec(text)?.[1];
  return reason === undefined ? undefined : `Error("${quote(reason)}")`;
}

/** An out-of-gas leaves no revert data, so only failures without a reason can be cured by a higher limit. */
function isWithoutReason({ text, inner }: DecodedFailure): boolean {
  return size(inner) === 0 && !text.includes(' reverted: ');
}
