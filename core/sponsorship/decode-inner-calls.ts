import type { InnerCall } from '../account-decoders/decoder.ts';
import { findAccountDecoder } from '../account-decoders/find-decoder.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';

/** Third step: the calls that the account would make, or `CALL_NOT_UNDERSTOOD` with the reason. */
export function decodeInnerCalls(
  operation: UserOperation,
  account: { readonly name: string; readonly version: string },
): Result<readonly InnerCall[]> {
  const decoder = findAccountDecoder(account.name, account.version);
  if (decoder === undefined) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `sponsorshipInfo.smartAccountInfo names an account that is not known: ${printable(account.name)} ${printable(account.version)}`,
      field: 'sponsorshipInfo.smartAccountInfo',
    });
  }
  const decoded = decoder.decode(operation.callData, operation.entryPointVersion);
  if (decoded.understood) return accept(decoded.calls);
  return refuse({
    reason: 'CALL_NOT_UNDERSTOOD',
    message: `The operation's callData was not understood as calls of a ${decoder.name} ${decoder.version} account: ${decoded.why}.`,
    field: 'callData',
  });
}

/** What a caller sent, fit for a message: short and of plain characters. */
function printable(text: string): string {
  return text.slice(0, 32).replace(/[^\w.-]/g, '?');
}
