import type { Clock } from '../base/time/clock.ts';
import type { RpcQuestion } from './rpc/create-endpoint.ts';
import { readRpcAnswer } from './rpc/rpc-answer.ts';

const withOverrides = 'eth_call with state overrides';
/** Methods without which nothing can be sponsored. Others have a substitute, or show in the ledger. */
const neededMethods: ReadonlySet<string> = new Set([
  'eth_call',
  withOverrides,
  'eth_getCode',
  'eth_getBalance',
  'eth_getStorageAt',
  'eth_getTransactionCount',
]);

/** JSON-RPC codes: method not found, and not supported (EIP-1474). Texts do not count, since a contract can write them. */
const unknownMethod = new Set([-32601, -32004]);
/** A node without state overrides takes them for a parameter too many. */
const invalidParams = -32602;

/**
 * How long a refusal counts, in milliseconds. Later the method is worth another question, which no one sends to a service
 * that is not ready.
 */
const refusalServesMs = 60_000;

/** Which needed methods a node has refused to answer in the last minute, and not answered since. */
export type UnansweredMethods = {
  answered(question: RpcQuestion): void;
  failed(question: RpcQuestion, error: unknown): void;
  read(): readonly string[];
};

export function createUnansweredMethods(clock: Clock): UnansweredMethods {
  const refusedAt = new Map<string, number>();
  return {
    answered: (question) => {
      if (refusedAt.size > 0) refusedAt.delete(nameOf(question));
    },
    failed: (question, error) => {
      const name = nameOf(question);
      const code = readRpcAnswer(error)?.code;
      if (code === undefined || !neededMethods.has(name)) return;
      if (unknownMethod.has(code) || (code === invalidParams && name === withOverrides))
        refusedAt.set(name, clock.now());
    },
    read: () => {
      const now = clock.now();
      return [...refusedAt].flatMap(([name, at]) => (Math.abs(now - at) <= refusalServesMs ? [name] : []));
    },
  };
}

function nameOf({ method, params }: RpcQuestion): string {
  return method === 'eth_call' && Array.isArray(params) && params.length > 2 ? withOverrides : method;
}
