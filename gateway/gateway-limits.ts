import { maxAbiBytes, maxBatchSize } from '@tollfree/contract/limits';

/** All limits of the gateway. Bytes are counted as received, rates over all gateways together. */
export type GatewayLimits = {
  readonly rpcBodyBytes: number;
  readonly managementBodyBytes: number;
  /** Body of a smart contract registration, which contains an ABI. */
  readonly abiBodyBytes: number;
  /** Memory for all bodies that have not arrived in full, in bytes: above it, the one that began first is given up. */
  readonly unfinishedBodyBytes: number;
  /** Deepest nesting of objects and arrays in a request. */
  readonly jsonDepth: number;
  /** Most values in the JSON of a request, those inside other ones included. A policy, or a body with an ABI, has twice as many. */
  readonly jsonValues: number;
  /** Most requests in one JSON-RPC batch. */
  readonly batchSize: number;
  /** Requests of one batch that run concurrently. */
  readonly batchConcurrency: number;
  /** Wrong credentials per address and minute that get a normal answer; further ones must wait. */
  readonly failedLoginsPerMinute: number;
  /**
   * Concurrent HTTP requests to the RPC endpoint, counting a batch as one; more are refused at once. One client address gets
   * a quarter of them, rounded up.
   */
  readonly requestsAtOnce: number;
  /** RPC requests per address, and also per known valid apiKey. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Management calls per paymaster, or per account if a call names none; four times as many per account in all. */
  readonly managementPerSecond: number;
  readonly managementBurst: number;
  /** Management calls of an account that change something: each leaves an entry in the audit log. */
  readonly changesPerDay: number;
  /** Keys or addresses that each limiter keeps; the least recently seen one is evicted. */
  readonly trackedClients: number;
  /** How long open requests may take to finish at shutdown, in milliseconds. */
  readonly drainMs: number;
};

export const defaultGatewayLimits: GatewayLimits = {
  rpcBodyBytes: 128 * 1024,
  managementBodyBytes: 64 * 1024,
  abiBodyBytes: maxAbiBytes,
  unfinishedBodyBytes: 64 * 1024 * 1024,
  jsonDepth: 32,
  jsonValues: 5_000,
  batchSize: maxBatchSize,
  batchConcurrency: 8,
  failedLoginsPerMinute: 20,
  requestsAtOnce: 1_000,
  requestsPerSecond: 50,
  requestBurst: 200,
  managementPerSecond: 50,
  managementBurst: 200,
  changesPerDay: 20_000,
  trackedClients: 10_000,
  drainMs: 10_000,
};
