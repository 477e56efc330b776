import pLimit, { type LimitFunction } from 'p-limit';
import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../base/time/clock.ts';
import { boundInformational } from '../node/rpc/bound-informational.ts';
import type { CallTerms } from './begin-call.ts';
import type { WebhookRequest } from './build-webhook-request.ts';
import { describeCallFailure } from './describe-call-failure.ts';
import { isServerFailure } from './is-server-failure.ts';
import { createOutageBreaker, type OutageBreaker } from './outage-breaker.ts';
import { readWebhookAnswer } from './read-webhook-answer.ts';
import { webhookLimits } from './webhook-limits.ts';
import { down, outage, type WebhookOutcome } from './webhook-outcome.ts';

/**
 * What is kept for one webhook between calls. Each has its own connections, turns and breaker, so that a slow webhook
 * is slow for its own paymaster only, even where several live on one host.
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

/** The connections to one origin: answers are bounded, idle connections closed. The time limits are the caller's. */
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

/** {@link sendOnPool}, telling the breaker. */
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
 * Sends one request and judges what comes back. The whole answer has to be there before `signal` aborts, `timeoutMs` after the
 * call began. Never rejects.
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

/** A call may fail in any way for being long: a server that reads no more of it breaks off, or answers 500. */
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
