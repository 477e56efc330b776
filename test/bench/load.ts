import autocannon from 'autocannon';
import { encodeFunctionData, parseAbi } from 'viem';
import type { BenchTarget } from './service.ts';

/** One measurement: throughput and latency at a number of connections. */
export type LoadResult = {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
};

const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
const incrementSelector = '0xd09de08a';
const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };

/**
 * A request of each kind, limits given, so that the chain is asked once for the account's call and not in the path of the
 * others. Each has a nonce key of its own, which makes it another operation that can land beside the rest.
 */
export const requestKinds = {
  SPONSORED: (target: BenchTarget, nonceKey: number) =>
    body(target, nonceKey, { mode: 'SPONSORED', sponsorshipInfo: { webhookData: {}, smartAccountInfo } }),
  'ERC20 quote': (target: BenchTarget, nonceKey: number) =>
    body(target, nonceKey, { mode: 'ERC20', tokenInfo: { tokenList: [], preferredToken: target.token } }),
} as const;
export type RequestKind = keyof typeof requestKinds;

function body(target: BenchTarget, nonceKey: number, context: object): string {
  const operation = {
    sender: target.senders[nonceKey % target.senders.length],
    nonce: `0x${nonceKey.toString(16)}0000000000000000`,
    callData: encodeFunctionData({ abi: executeAbi, args: [target.target, 0n, incrementSelector] }),
    callGasLimit: '100000',
    verificationGasLimit: '100000',
    preVerificationGas: '50000',
    maxFeePerGas: '1000000000',
    maxPriorityFeePerGas: '1000000000',
    signature: '0x',
  };
  const params = [operation, { ...context, calculateGasLimits: false }];
  return JSON.stringify({ jsonrpc: '2.0', id: nonceKey, method: 'pm_getFeeQuoteOrData', params });
}

let nonceKeys = 1;

/** The next operation, from the address of another client. */
export function nextRequest(bodyOf: (target: BenchTarget, nonceKey: number) => string, target: BenchTarget) {
  const key = nonceKeys++;
  const address = [10, (key >> 16) & 255, (key >> 8) & 255, key & 255].join('.');
  return { body: bodyOf(target, key), headers: { 'content-type': 'application/json', 'x-forwarded-for': address } };
}

export async function measureLoad(
  target: BenchTarget,
  kind: RequestKind,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const bodyOf = requestKinds[kind];
  const result = await autocannon({
    url: target.rpcUrl,
    connections,
    duration: seconds,
    method: 'POST',
    requests: [{ setupRequest: (request) => ({ ...request, ...nextRequest(bodyOf, target) }) }],
  });
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}
