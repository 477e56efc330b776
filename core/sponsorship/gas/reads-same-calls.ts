import type { UserOperation } from '../../domain/user-operation.ts';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { ReadCalls } from '../../evm/account-decoders/decoder.ts';
import { isSameReading } from '../../evm/account-decoders/detect-account.ts';
import { findAccountDecoder } from '../../evm/account-decoders/find-decoder.ts';

/**
 * Whether accounts of this kind make exactly the calls that were decided on: anyone who asks may have named another kind,
 * which reads other calls in the same bytes.
 */
export function readsSameCalls(
  kind: AccountCodeKind,
  { callData, entryPointVersion }: UserOperation,
  decided: ReadCalls,
): boolean {
  const understood = kind.decoders
    .map(({ name, version }) => findAccountDecoder(name, version)?.decode(callData, entryPointVersion))
    .flatMap((decoded) => (decoded?.understood === true ? [decoded] : []));
  return understood.length > 0 && understood.every((own) => isSameReading(own, decided));
}
