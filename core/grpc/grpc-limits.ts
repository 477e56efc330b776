/** Bounds of a gRPC server. Times in milliseconds. */
export type GrpcServerLimits = {
  /** Largest request message, in bytes. The largest honest one is an ABI or an operation's callData. */
  readonly maxRequestBytes: number;
  /** Largest response message, in bytes. The largest honest one is a list of contracts with their ABIs. */
  readonly maxResponseBytes: number;
  /** Calls in work at once; one more is answered UNAVAILABLE. */
  readonly maxConcurrentCalls: number;
  /** Time of a call whose client sets no deadline. */
  readonly defaultDeadlineMs: number;
  /** Longest time of any call. */
  readonly maxDeadlineMs: number;
  /** Health watches open at once. */
  readonly maxHealthWatches: number;
  /** Call streams open at once, of all clients. A client without one calls each method on its own. */
  readonly maxCallStreams: number;
  /** How often watched health is checked. */
  readonly healthIntervalMs: number;
  /** A core that does not tell its status in this time is not serving. */
  readonly statusTimeoutMs: number;
  /** Time that running calls have to end when the server closes, `noticeMs` included. */
  readonly drainMs: number;
  /**
   * Time between saying that it stops serving and taking no more calls, while clients ask for its health: they see it
   * (`healthCheckMs`) and go elsewhere before a call of theirs could come too late.
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
 * How a client with several cores looks at each: so long after the last answer, and so long it waits for one. A core that
 * stopped without a word is left out after both together at the most.
 */
export const healthCheckMs = { interval: 500, timeout: 1_000 } as const;

/**
 * While one of several cores takes over: for so long after the last moment that one served, so many calls wait for one, and try
 * again so often. An upgrade that locks the older cores out leaves none for as long as a newer one takes to start.
 */
export const handover = { maxMs: 15_000, maxWaiting: 500, betweenRoundsMs: 500 } as const;

/** A name of the core is looked up this often: the cores behind it come and go. */
export const lookUpMs = 5_000;

/** Time that a client gives a call when nothing else is said: a slow webhook (10 s), then chain and signer. */
export const defaultClientDeadlineMs = 20_000;

/** Time that a client gives the question whether the core is ready. */
export const statusDeadlineMs = 3_000;

/** A client that lost its server tries again after 100 ms at first and after 2 s at most. */
export const reconnectBackoffMs = { initial: 100, max: 2_000 } as const;

/** An idle connection is tested this often, so that a peer that vanished without a word is noticed. */
export const keepaliveMs = { interval: 20_000, timeout: 5_000 } as const;

/**
 * A client's call stream. The next is opened so long after the one before at the earliest. Calls are sent on their own while so many
 * wait for an answer, or so many messages could not be sent yet.
 */
export const callStreamLimits = { betweenOpeningsMs: 2_000, maxWaiting: 1_000, maxUnsentMessages: 8 } as const;
