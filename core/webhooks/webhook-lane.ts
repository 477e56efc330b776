import pLimit, { type LimitFunction } from 'p-limit';
import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../base/time/clock.ts';
import { boundInformational } from '../node/rpc/post-json.ts';
import { NoReachableAddressError } from './guarded-connector.ts';
import { describeCallFailure } from './guarded-get.ts';
import type { CallTerms, WebhookRequest } from './sign-webhook.ts';
import { webhookLimits } from './webhook-caller.ts';
import { down, outage, readWebhookAnswer, type WebhookOutcome } from './webhook-outcome.ts';

/**
 * The state of one webhook between calls. Each has its own connections, queue and breaker, so that a slow webhook only slows
 * down its own paymaster, even if several are on one host.
 */
export type WebhookLane = {
  readonly pool: Dispatcher;
  readonly turns: LimitFunction;
  readonly breaker: OutageBreaker;
};

export function createWebhookLane(options: {
  origin: string;
  connect: buildConnector.connector;
  clock: Clock;
  onOutage?: () => void;
}): WebhookLane {
  const { origin, connect, clock, onOutage } = options;
  return {
    pool: createWebhookPool({ origin, connect, connections: webhookLimits.callsAtOnce }),
    turns: pLimit(webhookLimits.callsAtOnce),
    breaker: createOutageBreaker(clock, onOutage),
  };
}

/** The connections to one origin, with bounded answers; idle connections are closed. The caller sets the time limits. */
export function createWebhookPool(options: {
  origin: string;
  connect: buildConnector.connector;
  connections: number;
}): Dispatcher {
  return new Pool(options.origin, {
    connect: options.connect,
    connections: options.connections,
    maxHeaderSize: webhookLimits.answerHeaderBytes,
    maxResponseSize: webhookLimits.answerBytes,
    keepAliveTimeout: webhookLimits.idleConnectionMs,
    keepAliveMaxTimeout: webhookLimits.idleConnectionMaxMs,
    // Each call's own signal covers connecting, headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
  }).compose(boundInformational);
}

/** {@link sendOnPool}, reporting to the breaker. */
export async function sendOnLane(
  lane: WebhookLane,
  request: WebhookRequest,
  terms: CallTerms,
): Promise<WebhookOutcome> {
  const outcome = await sendOnPool(lane, request, terms);
  if (outcome.kind === 'unavailable' && outcome.outage) lane.breaker.failed({ isDown: outcome.isDown === true });
  else lane.breaker.answered();
  return outcome;
}

/**
 * Sends one request and judges the answer. The whole answer must arrive before `signal` aborts, `timeoutMs` after the call
 * began. Never rejects.
 */
export async function sendOnPool(
  lane: Pick<WebhookLane, 'pool'>,
  request: WebhookRequest,
  terms: CallTerms,
): Promise<WebhookOutcome> {
  const outcome = await readAnswer(lane.pool, request, terms.signal).catch((error: unknown) => {
    const problem = describeCallFailure(error, terms.timeoutMs);
    return isServerFailure(error, terms) ? down(problem) : outage(problem);
  });
  return terms.isLong ? withoutExcuse(outcome) : outcome;
}

/**
 * Any failure of a long call may be due to its length: a server that stops reading closes the connection, or answers 500.
 */
function withoutExcuse(outcome: WebhookOutcome): WebhookOutcome {
  if (outcome.kind !== 'unavailable') return outcome;
  const { isDown: _, ...rest } = outcome;
  return rest;
}

async function readAnswer(pool: Dispatcher, request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
  const { statusCode, headers, body } = await pool.request({ ...request, signal });
  const contentEncoding = headers['content-encoding'];
  const outcome = readWebhookAnswer({
    status: statusCode,
    contentEncoding: Array.isArray(contentEncoding) ? contentEncoding.join() : contentEncoding,
    text: await body.text(),
  });
  return { ...outcome, status: statusCode };
}

/**
 * Errors that only the other side can cause: it is not there, or closes the connection. `EMFILE` and the like are ours, and
 * the length of an answer may depend on the caller's data, which some applications echo.
 */
const codes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'INFORMATIONAL_FLOOD', 'EPROTO'],
]);
const tlsCodes = /^(ERR_TLS_|ERR_SSL_)|CERT|SIGNATURE|ISSUER/;
const timeCodes: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** Whether the other side caused the failure. False if unknown. */
export function isServerFailure(error: unknown, own: Pick<CallTerms, 'lostTime'>): boolean {
  if (!(error instanceof Error)) return false;
  // A name lookup also takes time.
  if (error instanceof NoReachableAddressError) return error.isUnreported && !own.lostTime();
  if (error.name === 'TimeoutError') return !own.lostTime();
  if (error.name === 'HTTPParserError') return true;
  // A name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((one) => isServerFailure(one, own));
  }
  const { code = '' }: NodeJS.ErrnoException = error;
  if (timeCodes.has(code)) return !own.lostTime();
  return codes.has(code) || tlsCodes.test(code);
}

/** Keeps callers from waiting for a webhook that is down. */
type OutageBreaker = {
  /** Whether a call may go out now. After a pause one call is let through; the others wait for its result. */
  admit(): boolean;
  /** The webhook is paused and its own server was down each time: as often as a pause requires, without an answer since. */
  isDown(): boolean;
  /** The webhook answered, with any content. */
  answered(): void;
  /** The call failed; `isDown` if the webhook's own server caused it. */
  failed(outage: { readonly isDown: boolean }): void;
};

/**
 * Pauses for `pauseMs` after `outagesBeforePause` outages in a row, and again after each failed trial. `onPause` is called
 * at the start of each pause.
 */
function createOutageBreaker(clock: Clock, onPause: () => void = () => undefined): OutageBreaker {
  let outages = 0;
  let ofServer = 0;
  let pausedUntil = 0;

  return {
    admit() {
      if (outages < webhookLimits.outagesBeforePause) return true;
      if (clock.now() < pausedUntil) return false;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      return true;
    },
    isDown: () => ofServer >= webhookLimits.outagesBeforePause,
    answered() {
      outages = 0;
      ofServer = 0;
    },
    failed({ isDown }) {
      outages += 1;
      if (isDown) ofServer += 1;
      if (outages < webhookLimits.outagesBeforePause) return;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      onPause();
    },
  };
}
