import autocannon from 'autocannon';
import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { cpuTime } from './cpu-time.ts';
import type { BenchTarget } from './service.ts';

/** One measurement: throughput and latency at a number of connections. A refusal is a failure. */
export type LoadResult = {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  /** Processor time of the chain's node and of the service for one request, in milliseconds, where the system tells. */
  readonly nodeCpuMs?: number;
  readonly serviceCpuMs?: number;
};

const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
const incrementSelector = '0xd09de08a';
const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const sponsored = { mode: 'SPONSORED', sponsorshipInfo: { webhookData: {}, smartAccountInfo } };

/**
 * A request of each kind. With the limits given and always the same call, the chain is asked once for the account's call and
 * not in the path of the others; every `new` call is another one, which the chain has to be asked about. Each has a nonce
 * key of its own, which makes it another operation that can land beside the rest.
 */
export const requestKinds = {
  SPONSORED: (target: BenchTarget, nonceKey: number) =>
    body(target, nonceKey, incrementSelector, { ...sponsored, calculateGasLimits: false }),
  'ERC20 quote': (target: BenchTarget, nonceKey: number) =>
    body(target, nonceKey, incrementSelector, {
      mode: 'ERC20',
      tokenInfo: { tokenList: [], preferredToken: target.token },
      calculateGasLimits: false,
    }),
  'new, given': (target: BenchTarget, nonceKey: number) =>
    body(target, nonceKey, newCall(nonceKey), { ...sponsored, calculateGasLimits: false }),
  'new, estimated': (target: BenchTarget, nonceKey: number) =>
    body(target, nonceKey, newCall(nonceKey), { ...sponsored, calculateGasLimits: true }),
} as const;
export type RequestKind = keyof typeof requestKinds;

/** The same function with other bytes behind it, which it does not look at. */
function newCall(nonceKey: number): Hex {
  return concat([incrementSelector, numberToHex(nonceKey, { size: 32 })]);
}

function body(target: BenchTarget, nonceKey: number, call: Hex, context: object): string {
  const operation = {
    sender: target.senders[nonceKey % target.senders.length],
    nonce: `0x${nonceKey.toString(16)}0000000000000000`,
    callData: encodeFunctionData({ abi: executeAbi, args: [target.target, 0n, call] }),
    callGasLimit: '100000',
    verificationGasLimit: '100000',
    preVerificationGas: '50000',
    maxFeePerGas: '1000000000',
    maxPriorityFeePerGas: '1000000000',
    signature: '0x',
  };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: nonceKey,
    method: 'pm_getFeeQuoteOrData',
    params: [operation, context],
  });
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
  const used = () => ({ node: cpuTime(target.nodePid), service: cpuTime(target.servicePid) });
  const before = used();
  const result = await autocannon({
    url: target.rpcUrl,
    connections,
    duration: seconds,
    method: 'POST',
    verifyBody: (text) => String(text).includes('"result"'),
    requests: [{ setupRequest: (request) => ({ ...request, ...nextRequest(bodyOf, target) }) }],
  });
  const after = used();
  const each = (end?: number, start?: number) =>
    end === undefined || start === undefined ? undefined : (end - start) / result.requests.total;
  const nodeCpuMs = each(after.node, before.node);
  const serviceCpuMs = each(after.service, before.service);
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.mismatches,
    ...(nodeCpuMs === undefined || serviceCpuMs === undefined ? {} : { nodeCpuMs, serviceCpuMs }),
  };
}
