import type { JsonRpcError } from '@tollfree/contract/rpc/json-rpc';
import { SponsorshipRefusedError } from './errors.ts';

/** A wallet wraps a refusal several times: viem three times, a connector once more. */
const maxVisited = 50;
/** Where libraries keep the error that they were answered with. */
const wrappings = ['cause', 'error', 'info', 'data', 'originalError'] as const;

/** An error and everything that it wraps, outermost first: also plain objects, as wallets send them. */
export function listCauses(error: unknown): readonly object[] {
  const found = new Set<object>();
  const waiting = [error];
  while (waiting.length > 0 && found.size < maxVisited) {
    const each = waiting.shift();
    if (typeof each !== 'object' || each === null || found.has(each)) continue;
    found.add(each);
    for (const key of wrappings) waiting.push(readKey(each, key));
  }
  return [...found];
}

/** A third party's getter may throw. */
export function readKey(holder: object, key: string): unknown {
  try {
    return Reflect.get(holder, key);
  } catch {
    return undefined;
  }
}

/**
 * The service's refusal inside of any error: of this SDK, of viem, permissionless and wagmi, of ethers, or of a wallet that passes
 * `error.data` on. Undefined if there is none.
 */
export function findRefusal(causes: readonly object[]): SponsorshipRefusedError | undefined {
  for (const each of causes) {
    if (each instanceof SponsorshipRefusedError) return each;
    const data = readKey(each, 'data');
    if (typeof data !== 'object' || data === null) continue;
    const reason = readKey(data, 'reason');
    if (typeof reason !== 'string' || !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(reason)) continue;
    const [code, message] = [readKey(each, 'code'), readKey(each, 'message')];
    return new SponsorshipRefusedError(
      {
        code: typeof code === 'number' ? code : 0,
        message: typeof message === 'string' ? message : reason,
        data: data as JsonRpcError['data'],
      },
      0,
    );
  }
  return undefined;
}
