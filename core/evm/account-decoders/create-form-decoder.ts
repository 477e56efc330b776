import type { Hex } from 'viem';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import { readAttributionSuffix } from './attribution-suffix.ts';
import { createCalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import type { AccountDecoder, CallForm, CallForms, Decoded, ReadCalls } from './decoder.ts';
import { maxCallData } from './read-call.ts';

const selectorEnd = 10;

/** A decoder for an account kind whose call forms describe it fully. */
export function createFormDecoder(name: string, version: string, forms: CallForms): AccountDecoder {
  const bySelector = new Map(
    Object.entries(forms).map(([entryPoint, list]) => [
      entryPoint,
      new Map<string, CallForm>(list.map((form) => [form.selector, form])),
    ]),
  );

  /** A decision decodes its calls for the policy, and again as the kind whose code the sender has. */
  let last: { readonly form: CallForm; readonly callData: Hex; readonly decoded: Decoded } | undefined;

  return {
    name,
    version,
    entryPointVersions: entryPointVersions.filter((each) => each in forms),
    forms,
    decode(callData, entryPointVersion): Decoded {
      const known = bySelector.get(entryPointVersion);
      if (known === undefined)
        return notUnderstood(`this account type is not known for EntryPoint ${entryPointVersion}`);
      const unreadable = checkLength(callData);
      if (unreadable !== undefined) return notUnderstood(unreadable);
      // Detection tries many decoders and most end here, so nothing is read or thrown before.
      const form = known.get(callData.slice(0, selectorEnd).toLowerCase());
      if (form === undefined) return notUnderstood('it begins with a method that is not known to make calls');
      if (last?.form === form && last.callData === callData) return last.decoded;
      try {
        const decoded = { understood: true, ...readWithSuffix(form, readArguments(callData)) } as const;
        last = { form, callData, decoded };
        return decoded;
      } catch (cause) {
        if (cause instanceof NotUnderstoodError) return { ...notUnderstood(cause.message), knowsMethod: true };
        throw cause;
      }
    },
  };
}

function notUnderstood(why: string) {
  return { understood: false, why } as const;
}

/** What is wrong with the length of the call data; undefined if it is fine. */
export function checkLength(callData: Hex): string | undefined {
  if (callData === '0x') return 'it is empty';
  if (callData.length > 2 + 2 * maxCallData) return `it is longer than ${maxCallData} bytes`;
  return callData.length < selectorEnd ? 'it is too short to name a method' : undefined;
}

/**
 * Reads arguments that end with the call data, or else where a suffix begins. Arguments determine their own end, so only one
 * reading can succeed: if the last bytes of a call look like a suffix, they still belong to the call.
 */
function readWithSuffix(form: CallForm, data: Buffer): ReadCalls {
  try {
    return { calls: form.read(createCalldataWalker(data)) };
  } catch (cause) {
    if (!(cause instanceof NotUnderstoodError)) throw cause;
    return readBeforeSuffix(form, data, cause);
  }
}

function readBeforeSuffix(form: CallForm, data: Buffer, plainly: NotUnderstoodError): ReadCalls {
  const common = readAttributionSuffix(data);
  let failure = plainly;
  for (const attribution of [...(common === undefined ? [] : [common]), ...(form.findSuffixes?.(data) ?? [])]) {
    try {
      return { calls: form.read(createCalldataWalker(data.subarray(0, data.length - attribution.bytes))), attribution };
    } catch (cause) {
      if (!(cause instanceof NotUnderstoodError)) throw cause;
      failure = cause;
    }
  }
  throw failure;
}

/** Call data without its selector. */
function readArguments(callData: Hex): Buffer {
  const data = Buffer.from(callData.slice(selectorEnd), 'hex');
  // Buffer stops at the first character that is not a hex digit.
  if (selectorEnd + 2 * data.length !== callData.length) throw new NotUnderstoodError('it is not hex');
  return data;
}

/**
 * `IAccountExecute.executeUserOp`. From 0.7 on, if `callData` begins with this selector, the EntryPoint passes the whole
 * operation to the account. The encoding after the selector differs between accounts.
 */
export const executeUserOpSelector: Hex = '0x8dd7712f';
const selectorBytes = 4;

/**
 * The form of accounts that call themselves with the bytes after the selector, which must be one of `forms`. The prefix
 * cannot be nested.
 */
export function executeUserOpForm(forms: readonly CallForm[]): CallForm {
  return {
    selector: executeUserOpSelector,
    read(walker) {
      const called = walker.rest();
      const selector = selectorOf(called);
      const form = forms.find((candidate) => candidate.selector === selector);
      if (form === undefined) {
        throw new NotUnderstoodError('executeUserOp contains a method that is not known to make calls');
      }
      return form.read(createCalldataWalker(called.subarray(selectorBytes)));
    },
  };
}
