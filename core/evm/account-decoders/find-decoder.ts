import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { calibur100 } from './calibur.ts';
import { checkLength } from './create-form-decoder.ts';
import type { AccountDecoder, Decoded, InnerCall, ReadCalls } from './decoder.ts';
import { erc7579, nexus100 } from './erc7579.ts';
import { erc7821Decoders } from './erc7821.ts';
import { infinitism100, simple7702 } from './infinitism.ts';
import { kernelDecoders } from './kernel.ts';
import { metamask100 } from './metamask.ts';
import { plainMethodAccounts } from './plain-method-accounts.ts';
import { safe141, safe150 } from './safe.ts';
import { safe7579 } from './safe-7579.ts';

/** The decoders of all known account kinds. */
export const accountDecoders: readonly AccountDecoder[] = [
  ...plainMethodAccounts,
  infinitism100,
  simple7702,
  safe141,
  safe150,
  ...kernelDecoders,
  nexus100,
  erc7579,
  metamask100,
  safe7579,
  ...erc7821Decoders,
  calibur100,
];

/** Other spellings in use: published documentation of this interface misspells one name. */
const otherNames: ReadonlyMap<string, string> = new Map([['INFINITSM', 'INFINITISM']]);

/** The decoder for `smartAccountInfo`, with name and version as on the wire (case-sensitive), or `undefined`. */
export function findAccountDecoder(name: string, version: string): AccountDecoder | undefined {
  const knownName = otherNames.get(name) ?? name;
  return accountDecoders.find((decoder) => decoder.name === knownName && decoder.version === version);
}

/**
 * Reads the calls of an account whose kind was not named, by trying every decoder. Succeeds only if all decoders that
 * understand the call data read the same calls, so that the kind does not matter. Otherwise the reason is that of the first
 * decoder that knows the method, if any.
 */
export function detectAccount(
  decoders: readonly AccountDecoder[],
  callData: Hex,
  entryPointVersion: EntryPointVersion,
): Decoded {
  const unreadable = checkLength(callData);
  if (unreadable !== undefined) return { understood: false, why: unreadable };
  let agreed: ReadCalls | undefined;
  let closest: Decoded | undefined;
  for (const decoder of decoders) {
    const decoded = decoder.decode(callData, entryPointVersion);
    if (!decoded.understood) {
      if (decoded.knowsMethod === true) closest ??= decoded;
      continue;
    }
    if (agreed !== undefined && !isSameReading(agreed, decoded)) {
      return { understood: false, why: 'it means different calls for different types of accounts' };
    }
    agreed = decoded;
  }
  if (agreed !== undefined) return { ...agreed, understood: true };
  return (
    closest ?? {
      understood: false,
      why: `no account type for EntryPoint ${entryPointVersion} reads it as plain calls`,
    }
  );
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
