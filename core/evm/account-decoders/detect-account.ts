import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { AccountDecoder, Decoded, InnerCall, ReadCalls } from './decoder.ts';

/**
 * Reads the calls of an account whose kind was not named, by trying every decoder. Succeeds only if all decoders that
 * understand the call data read the same calls, so that the kind does not matter.
 */
export function detectAccount(
  decoders: readonly AccountDecoder[],
  callData: Hex,
  entryPointVersion: EntryPointVersion,
): Decoded {
  let agreed: ReadCalls | undefined;
  for (const decoder of decoders) {
    const decoded = decoder.decode(callData, entryPointVersion);
    if (!decoded.understood) continue;
    if (agreed !== undefined && !isSameReading(agreed, decoded)) {
      return { understood: false, why: 'it means different calls for different types of accounts' };
    }
    agreed = decoded;
  }
  if (agreed !== undefined) return { ...agreed, understood: true };
  return {
    understood: false,
    why: `no account type for EntryPoint ${entryPointVersion} reads it as plain calls`,
  };
}

/** Whether both have the same calls in the same order, and the same suffix. */
export function isSameReading(one: ReadCalls, other: ReadCalls): boolean {
  return (
    one.attribution?.bytes === other.attribution?.bytes &&
    one.calls.length === other.calls.length &&
    one.calls.every((call, index) => isSameCall(call, other.calls[index]))
  );
}

function isSameCall(call: InnerCall, other: InnerCall | undefined): boolean {
  return (
    other !== undefined &&
    call.target.toLowerCase() === other.target.toLowerCase() &&
    call.value === other.value &&
    call.data === other.data
  );
}
