import { decodeErrorResult, type Hex, isHex, size, slice, toFunctionSelector } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { GasLimits } from '../../domain/user-operation.ts';
import { type CustomError, describeCustomError, maxRevertBytes } from '../../evm/abi/custom-errors.ts';
import { failureAbi } from '../../evm/entry-point/entry-point-abi.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import { explainAaCode, findAaCode } from './aa-codes.ts';

/** Longest text of a contract that an answer quotes, in characters. */
const quotedTextLength = 200;

/** Why the EntryPoint rejected an operation, and which limit may be the cause. */
export type EntryPointFailure = { readonly refusal: Refusal; readonly shortLimit?: keyof GasLimits };

type DecodedFailure = { readonly text: string; readonly inner: Hex };

/** The revert of a call, in the `details` of a refusal. */
export type RevertDetails = {
  /** Readable text from `describeRevert`. */
  readonly revert: string;
  /** A custom error's bytes, for clients that know more errors; only the selector if it is too long. */
  readonly revertData?: Hex;
};

/** Most bytes that are decoded of a revert reported by a node. */
const maxFailureBytes = 65_536;
/** How many nested errors are read. */
const deepestWrapping = 3;
/** Longest byte string of an error that is quoted in full, in bytes. */
const quotedBytes = 32;

/**
 * Revert data in short: `Error("…")`, `Panic(0x11)`, one of the `known` custom errors by name and arguments, or another by
 * its selector; `none` for no data. Wrappers that accounts and EntryPoints put around a revert are unwrapped.
 */
export function describeRevert(data: Hex, known: readonly CustomError[] = [], depth = deepestWrapping): string {
  if (size(data) < 4) return 'none';
  const decoded = decode(data);
  if (decoded?.errorName === 'Error') return `Error("${quote(decoded.args[0])}")`;
  if (decoded?.errorName === 'Panic') return `Panic(0x${decoded.args[0].toString(16)})`;
  const bytes = (value: Hex) => (depth > 0 ? describeBytes(value, known, depth - 1) : shortBytes(value));
  const string = (value: string) => `"${quote(value)}"`;
  return describeCustomError(data, [...wrappingErrors, ...known], { bytes, string }) ?? slice(data, 0, 4);
}

/** The argument of an error that may be the revert data of another one. */
function describeBytes(value: Hex, known: readonly CustomError[], depth: number): string {
  if (size(value) % 32 !== 4) return shortBytes(value);
  const described = describeRevert(value, known, depth);
  return isHex(described) ? shortBytes(value) : described;
}

function shortBytes(value: Hex): string {
  return size(value) > quotedBytes ? `${slice(value, 0, quotedBytes)}…` : value;
}

/** Revert data in the form of a refusal, before custom errors are looked up. */
export function revertDetails(data: Hex): RevertDetails {
  const revert = describeRevert(data);
  if (size(data) < 4 || /^(Error|Panic)\(/.test(revert)) return { revert };
  return { revert, revertData: size(data) > maxRevertBytes ? slice(data, 0, 4) : data };
}

/** The refusal with its custom error named, when it is one of the `known` ones. */
export function withNamedRevert(refusal: Refusal, known: readonly CustomError[]): Refusal {
  const { revert, revertData } = refusal.details ?? {};
  if (revert === undefined || !isHex(revertData)) return refusal;
  const named = describeRevert(revertData, known);
  const message = refusal.message.replace(revert, () => named);
  return { ...refusal, message, details: { ...refusal.details, revert: named } };
}

/** Text of a contract or service, made safe for an answer: one line, printable ASCII, bounded. */
function quote(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, quotedTextLength);
}

/** Decodes the revert of an EntryPoint or its simulation. */
export function readEntryPointFailure(data: Hex, version: EntryPointVersion): EntryPointFailure {
  const failure = decodeFailure(data);
  const code = failure === undefined ? undefined : findAaCode(failure.text);
  if (failure === undefined || code === undefined) {
    const details = revertDetails(data);
    return {
      refusal: {
        reason: 'ESTIMATION_FAILED',
        message: `The EntryPoint does not accept the operation (revert ${details.revert}).`,
        field: 'sender',
        details,
      },
    };
  }
  const { refusal, shortLimit } = explainFailure(code, version, innerRevert(failure));
  return isWithoutReason(failure) && shortLimit !== undefined ? { refusal, shortLimit } : { refusal };
}

/** The refusal for an `AAxx` code, with the inner revert of account, factory or paymaster if there is one. */
export function explainFailure(code: string, version: EntryPointVersion, inner?: RevertDetails): EntryPointFailure {
  const { field, advice, shortLimit } = explainAaCode(code, version);
  const refusal: Refusal = {
    reason: 'ESTIMATION_FAILED',
    message: `${advice} (${code}${inner === undefined ? '' : `, revert ${inner.revert}`})`,
    field,
    details: { aaCode: code, ...inner },
  };
  if (shortLimit === undefined) return { refusal };
  return {
    refusal,
    shortLimit:
      shortLimit.startsWith('paymaster') && !entryPointOf(version).isPacked ? 'verificationGasLimit' : shortLimit,
  };
}

/** The refusal for an operation whose own call reverts. Running out of gas leaves no revert data. */
export function executionReverted(revertData: Hex): Refusal {
  const details = revertDetails(revertData);
  const { revert } = details;
  const how = revert === 'none' ? 'without a reason, or needs more gas than is allowed' : `with ${revert}`;
  return {
    reason: 'ESTIMATION_FAILED',
    message: `The operation's call reverts ${how}.`,
    field: 'callData',
    details,
  };
}

/** Whether the refusal is that of {@link executionReverted}. */
export function isExecutionReverted({ reason, field, details }: Refusal): boolean {
  const isOfCall = details?.revert !== undefined && details.aaCode === undefined;
  return reason === 'ESTIMATION_FAILED' && field === 'callData' && isOfCall;
}

function decode(data: Hex) {
  if (size(data) > maxFailureBytes) return undefined;
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
    // The simulation of 0.9 has errors where the other versions have codes.
    case 'PaymasterNotDeployed':
      return { text: 'AA30', inner: '0x' };
    default:
      return undefined;
  }
}

/** 0.6 puts the inner reason into the text (`AA23 reverted: …`); later versions return the revert data separately. */
function innerRevert({ text, inner }: DecodedFailure): RevertDetails | undefined {
  if (size(inner) >= 4) return revertDetails(inner);
  const reason = / reverted: (.*)$/s.exec(text)?.[1];
  return reason === undefined ? undefined : { revert: `Error("${quote(reason)}")` };
}

/** Running out of gas leaves no revert data, so a higher limit can only fix failures without a reason. */
function isWithoutReason({ text, inner }: DecodedFailure): boolean {
  return size(inner) === 0 && !text.includes(' reverted: ');
}

/** Errors in which accounts and EntryPoints wrap an inner revert. */
const wrappingErrors: readonly CustomError[] = [
  // eth-infinitism's account from 0.8 on: the batch call with this index failed.
  wrapping('ExecuteError', ['uint256', 'bytes']),
  // EntryPoint 0.7 and up: a paymaster's postOp failed.
  wrapping('PostOpReverted', ['bytes']),
];

function wrapping(name: string, types: readonly string[]): CustomError {
  const signature = `${name}(${types.join(',')})`;
  return { name, signature, selector: toFunctionSelector(signature), inputs: types.map((type) => ({ type })) };
}
