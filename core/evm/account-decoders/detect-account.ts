import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { AccountDecoder, Decoded, InnerCall, ReadCalls } from './decoder.ts';

/**
 * Reads the calls of an account whose kind was not named: with every decoder. Understood only when at least one
 * understands the call data and all that do read exactly the same calls, so that it does not matter which it is.
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

/** Whether the calls are the same ones in the same order, and the same bytes are a suffix. */
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
