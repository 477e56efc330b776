import { maxAbiBytes, maxBatchSize } from '@tollfree/contract/limits';

/** Everything the gateway bounds. Bytes are counted as received, rates by all gateways together. */
export type GatewayLimits = {
  readonly rpcBodyBytes: number;
  readonly managementBodyBytes: number;
  /** Body of a smart contract registration, which carries an ABI. */
  readonly abiBodyBytes: number;
  /** Deepest nesting of objects and arrays in a request. */
  readonly jsonDepth: number;
  /** Most requests in one JSON-RPC batch. */
  readonly batchSize: number;
  /** Requests of one batch that are worked on at a time. */
  readonly batchConcurrency: number;
  /** Wrong credentials of an address that are answered as such in a minute; more are told to wait. */
  readonly failedLoginsPerMinute: number;
  /**
   * HTTP requests to the RPC endpoint that are answered at a time, a batch as one; more are refused at once. A quarter of them,
   * rounded up, for one client address.
   */
  readonly requestsAtOnce: number;
  /** RPC requests per address, and next to that per apiKey that is known to be good. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Management calls per paymaster or, where a call names none, per account. */
  readonly managementPerSecond: number;
  readonly managementBurst: number;
  /** Keys or addresses each limiter remembers; the least recently seen one is forgotten. */
  readonly trackedClients: number;
  /** How long open requests may take to finish at shutdown, in milliseconds. */
  readonly drainMs: number;
};

export const defaultGatewayLimits: GatewayLimits = {
  rpcBodyBytes: 128 * 1024,
  managementBodyBytes: 64 * 1024,
  abiBodyBytes: maxAbiBytes,
  jsonDepth: 32,
  batchSize: maxBatchSize,
  batchConcurrency: 8,
  failedLoginsPerMinute: 20,
  requestsAtOnce: 1_000,
  requestsPerSecond: 50,
  requestBurst: 200,
  managementPerSecond: 50,
  managementBurst: 200,
  trackedClients: 10_000,
  drainMs: 10_000,
};
