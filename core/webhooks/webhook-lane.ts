import pLimit, { type LimitFunction } from 'p-limit';
import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../base/time/clock.ts';
import { boundInformational } from '../node/rpc/bound-informational.ts';
import type { CallTerms } from './begin-call.ts';
import type { WebhookRequest } from './build-webhook-request.ts';
import { describeCallFailure } from './describe-call-failure.ts';
import { NoReachableAddressError } from './guarded-connector.ts';
import { webhookLimits } from './webhook-limits.ts';
import { down, outage, readWebhookAnswer, type WebhookOutcome } from './webhook-outcome.ts';

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

/**
 * What only the other side brings about: it is not there, or breaks off. `EMFILE` and the like are ours, and how long an answer is
 * may be up to the caller's data, which some applications send back.
 */
const codes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'INFORMATIONAL_FLOOD', 'EPROTO'],
]);
const tlsCodes = /^(ERR_TLS_|ERR_SSL_)|CERT|SIGNATURE|ISSUER/;
const timeCodes: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** Whether a call failed by the other side's doing. What is not known to be is not. */
export function isServerFailure(error: unknown, own: Pick<CallTerms, 'lostTime'>): boolean {
  if (!(error instanceof Error)) return false;
  // Looking up its name takes time as well.
  if (error instanceof NoReachableAddressError) return error.isUnreported && !own.lostTime();
  if (error.name === 'TimeoutError') return !own.lostTime();
  if (error.name === 'HTTPParserError') return true;
  // A name with several addresses fails with what each of them failed with.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((one) => isServerFailure(one, own));
  }
  const { code = '' }: NodeJS.ErrnoException = error;
  if (timeCodes.has(code)) return !own.lostTime();
  return codes.has(code) || tlsCodes.test(code);
}

/** Keeps callers from waiting for a webhook that is down. */
type OutageBreaker = {
  /** Whether a call may go out now. After a pause one call is let through; the others wait for what it finds. */
  admit(): boolean;
  /** That it is left alone because its own server was down each time: as often as a pause takes, and not once did it answer since. */
  isDown(): boolean;
  /** The webhook answered, whatever it said. */
  answered(): void;
  /** The webhook could not be asked; `isDown` where that was its own server's doing. */
  failed(outage: { readonly isDown: boolean }): void;
};

/**
 * Pauses for `pauseMs` after `outagesBeforePause` outages in a row, and again for as long as trials fail. `onPause` is
 * called as each of these pauses begins.
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
