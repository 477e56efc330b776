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

/** A request of each kind, limits given, so that no chain call is in its path; `nonce` makes every one another operation. */
export const requestKinds = {
  SPONSORED: (target: BenchTarget, nonce: number) =>
    body(target, nonce, { mode: 'SPONSORED', sponsorshipInfo: { webhookData: {}, smartAccountInfo } }),
  'ERC20 quote': (target: BenchTarget, nonce: number) =>
    body(target, nonce, { mode: 'ERC20', tokenInfo: { tokenList: [], preferredToken: target.token } }),
} as const;
export type RequestKind = keyof typeof requestKinds;

function body(target: BenchTarget, nonce: number, context: object): string {
  const operation = {
    sender: '0x1111111111111111111111111111111111111111',
    nonce: `0x${nonce.toString(16)}`,
    callData: encodeFunctionData({ abi: executeAbi, args: [target.target, 0n, incrementSelector] }),
    callGasLimit: '100000',
    verificationGasLimit: '100000',
    preVerificationGas: '50000',
    maxFeePerGas: '1000000000',
    maxPriorityFeePerGas: '1000000000',
    signature: '0x',
  };
  const params = [operation, { ...context, calculateGasLimits: false }];
  return JSON.stringify({ jsonrpc: '2.0', id: nonce, method: 'pm_getFeeQuoteOrData', params });
}

let nonces = 0;

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
    headers: { 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: bodyOf(target, nonces++) }) }],
  });
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}
