import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { ReadCalls } from '../../evm/account-decoders/decoder.ts';
import { detectAccount } from '../../evm/account-decoders/detect-account.ts';
import { accountDecoders, findAccountDecoder } from '../../evm/account-decoders/find-decoder.ts';

/** A kind of smart account, by the name and version of its decoder. */
export type AccountKind = { readonly name: string; readonly version: string };

/**
 *
 *
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
