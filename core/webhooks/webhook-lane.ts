import pLimit, { type LimitFunction } from 'p-limit';
import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../base/time/clock.ts';
import { boundInformational } from '../node/rpc/post-json.ts';
import { describeCallFailure } from './guarded-get.ts';
import type { WebhookRequest } from './sign-webhook.ts';
import { webhookLimits } from './webhook-caller.ts';
import { outage, readWebhookAnswer, type WebhookOutcome } from './webhook-outcome.ts';

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
  if (outcome.kind === 'unavailable' && outcome.outage) lane.breaker.failed();
  else lane.breaker.answered();
  return outcome;
}

/** The time limit of a call: `signal` aborts `timeoutMs` after it began. */
export type CallTerms = { readonly signal: AbortSignal; readonly timeoutMs: number };

/** Sends one request and judges the answer, all of which must arrive before `signal` aborts. Never rejects. */
export async function sendOnPool(
  lane: Pick<WebhookLane, 'pool'>,
  request: WebhookRequest,
  { signal, timeoutMs }: CallTerms,
): Promise<WebhookOutcome> {
  return readAnswer(lane.pool, request, signal).catch((error: unknown) =>
    outage(describeCallFailure(error, timeoutMs)),
  );
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

/** Keeps callers from waiting for a webhook that is down. */
type OutageBreaker = {
  /** Whether a call may go out now. After a pause one call is let through; the others wait for its result. */
  admit(): boolean;
  /** The webhook answered, with any content. */
  answered(): void;
  /** The webhook did not answer, or said that it is out of order. */
  failed(): void;
};

/**
 * Pauses for `pauseMs` after `outagesBeforePause` outages in a row, and again after each failed trial. `onPause` is called
 * at the start of each pause.
 */
function createOutageBreaker(clock: Clock, onPause: () => void = () => undefined): OutageBreaker {
  let outages = 0;
  let pausedUntil = 0;

  return {
    admit() {
      if (outages < webhookLimits.outagesBeforePause) return true;
      if (clock.now() < pausedUntil) return false;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      return true;
    },
    answered() {
      outages = 0;
    },
    failed() {
      outages += 1;
      if (outages < webhookLimits.outagesBeforePause) return;
      pausedUntil = clock.now() + webhookLimits.pauseMs;
      onPause();
    },
  };
}
