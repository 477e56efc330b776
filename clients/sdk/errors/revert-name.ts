import { type Abi, decodeErrorResult, isHex } from 'viem';
import { readKey } from './find-refusal.ts';

/** Longest text of a contract that a sentence quotes, in characters. */
const maxQuoted = 100;

/**
 * Why a call of the user's operation reverts, as its contract says it: the text of `require`, or the name of a custom error that is in
 * the ABI or that viem has decoded. Undefined if nothing says so.
 */
export function findRevertName(causes: readonly object[], abi: Abi): string | undefined {
  for (const each of causes) {
    const data = readKey(each, 'data');
    const revertData = isHex(data)
      ? data
      : typeof data === 'object' && data !== null
        ? readKey(data, 'revertData')
        : data;
    const name =
      (readKey(each, 'name') === 'ContractFunctionRevertedError' ? decodedName(data) : undefined) ??
      (isHex(revertData) ? decode(revertData, abi) : undefined);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** What viem has decoded already, with the ABI of the call. */
function decodedName(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  return nameOf(readKey(data, 'errorName'), readKey(data, 'args'));
}

function decode(data: `0x${string}`, abi: Abi): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data });
    return nameOf(errorName, args);
  } catch {
    return undefined;
  }
}

/** A panic is a fault of the contract, which its number does not explain to a user. */
function nameOf(errorName: unknown, args: unknown): string | undefined {
  if (typeof errorName !== 'string' || errorName === 'Panic') return undefined;
  const text = errorName === 'Error' && Array.isArray(args) ? args[0] : errorName;
  return typeof text === 'string' ? quotable(text) : undefined;
}

/** One line of printable characters without addresses or other long numbers. */
export function quotable(text: string): string | undefined {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line === '' || line.length > maxQuoted || /0x[0-9a-f]{8}/i.test(line) ? undefined : line;
}
