/** Bounds of a gRPC server. Times in milliseconds. */
export type GrpcServerLimits = {
  /** Largest request message, in bytes. The largest honest one is an ABI or an operation's callData. */
  readonly maxRequestBytes: number;
  /** Largest response message, in bytes. The largest honest one is a list of contracts with their ABIs. */
  readonly maxResponseBytes: number;
  /** Most concurrent calls; one more is answered UNAVAILABLE. */
  readonly maxConcurrentCalls: number;
  /** Time limit of a call without a client deadline. */
  readonly defaultDeadlineMs: number;
  /** Longest time of any call. */
  readonly maxDeadlineMs: number;
  /** Health watches open at once. */
  readonly maxHealthWatches: number;
  /** Call streams open at once, of all clients. A client without one calls each method on its own. */
  readonly maxCallStreams: number;
  /** How often watched health is checked. */
  readonly healthIntervalMs: number;
  /** A core that does not report its status in this time is not serving. */
  readonly statusTimeoutMs: number;
  /** Time for running calls when the server closes, including `noticeMs`. */
  readonly drainMs: number;
  /**
   *
   *
   * Time between reporting that it stops and accepting no more calls, while clients check its health: they notice
   * (`healthCheckMs`) and go elsewhere before a call could come too late.
   */
  readonly noticeMs: number;
};

export const defaultGrpcServerLimits: GrpcServerLimits = {
  maxRequestBytes: 4 * 1024 * 1024,
  maxResponseBytes: 64 * 1024 * 1024,
  maxConcurrentCalls: 1000,
  defaultDeadlineMs: 20_000,
  maxDeadlineMs: 60_000,
  maxHealthWatches: 32,
  maxCallStreams: 64,
  healthIntervalMs: 5_000,
  statusTimeoutMs: 2_000,
  drainMs: 10_000,
  noticeMs: 1_500,
};

/**
 *
 *
 * How a client checks each of several cores: the interval after the last answer, and the time limit of a check. A core that
 * stopped silently is left out after at most both together.
 */
export const healthCheckMs = { interval: 500, timeout: 1_000 } as const;

/**
 *
 *
 * While one of several cores takes over: how long calls wait after a core last served, how many wait, and how often they
 * retry. An upgrade that excludes older cores leaves none until a newer one has started.
 */
export const handover = { maxMs: 15_000, maxWaiting: 500, betweenRoundsMs: 500 } as const;

/** How often a core's name is resolved again, since the cores behind it change. */
export const lookUpMs = 5_000;

/** Default time limit of a client's call: a slow webhook (10 s), then chain and signer. */
export const defaultClientDeadlineMs = 20_000;

/** A client's time limit for the readiness check. */
export const statusDeadlineMs = 3_000;

/** Reconnect delay of a client: first 100 ms, at most 2 s. */
export const reconnectBackoffMs = { initial: 100, max: 2_000 } as const;

/** Test interval of an idle connection, to notice a vanished peer. */
export const keepaliveMs = { interval: 20_000, timeout: 5_000 } as const;

/**
 * A client's call stream. The next is opened so long after the one before at the earliest. Calls are sent on their own while so many
 * wait for an answer, or so many messages could not be sent yet.
 */
export const callStreamLimits = { betweenOpeningsMs: 2_000, maxWaiting: 1_000, maxUnsentMessages: 8 } as const;
