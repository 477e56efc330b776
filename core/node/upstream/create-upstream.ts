import { Agent, request } from 'undici';
import type { Clock } from '../../base/time/clock.ts';
import type { UpstreamConfig } from '../../domain/chain-config.ts';

/** Most bytes of an answer: paymaster data with the sponsor's name and icon are below. */
const maxUpstreamBytes = 65_536;
/** After this many failures in a row, the upstream is paused. */
const maxFailuresInRow = 3;
const restMs = 30_000;
/** Most concurrent questions: a slow upstream must not accumulate those of all callers. */
const maxOpen = 128;

export const upstreamMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const;
export type UpstreamMethod = (typeof upstreamMethods)[number];
/** `refused`: the upstream declined. `failed`: no usable answer. */
type UpstreamOutcome = 'answered' | 'refused' | 'failed';
export type UpstreamNote = (method: UpstreamMethod, outcome: UpstreamOutcome) => void;

/** Of a refusal only the code is kept: a third party's text goes into no answer and no log. */
type UpstreamAnswer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'refused'; readonly code?: number }
  | { readonly kind: 'failed'; readonly cause: string };

/** A second paymaster. */
export type Upstream = {
  readonly config: UpstreamConfig;
  /** Why it is not asked at the moment, for any request; undefined when it is. */
  fault(): string | undefined;
  /** Asks once. `read` returns undefined for an unusable answer, which counts as a failure. Never rejects. */
  ask<T extends object>(
    method: UpstreamMethod,
    params: readonly unknown[],
    read: (result: unknown) => T | undefined,
  ): Promise<UpstreamAnswer<T>>;
};

/** Follows no redirection and accepts no compression, so an answer's size is that of its bytes. */
export function createUpstream(
  config: UpstreamConfig,
  parts: {
    readonly clock: Clock;
    readonly note?: UpstreamNote | undefined;
    /** Called when a pause begins. */
    readonly onRest?: (cause: string) => void;
    /** Why nothing may be sponsored by anyone. */
    readonly blocked?: (() => string | undefined) | undefined;
  },
): Upstream {
  const { clock, note = () => undefined, onRest = () => undefined, blocked = () => undefined } = parts;
  const agent = new Agent({ maxResponseSize: maxUpstreamBytes, connect: { timeout: config.timeoutMs } });
  let failures = 0;
  let restsUntil = 0;
  let open = 0;

  function failed(cause: string): void {
    failures += 1;
    if (failures < maxFailuresInRow) return;
    restsUntil = clock.now() + restMs;
    if (failures === maxFailuresInRow) onRest(cause);
  }

  return {
    config,
    fault: () =>
      blocked() ??
      (failures >= maxFailuresInRow && clock.now() < restsUntil ? 'it has failed too often in a row' : undefined),
    ask: async (method, params, read) => {
      // After a pause, a single trial runs until it has its answer.
      if (failures >= maxFailuresInRow) restsUntil = clock.now() + restMs;
      if (open >= maxOpen) return tooManyOpen;
      open += 1;
      const answer = await post(agent, config, { method, params });
      open -= 1;
      const judged = judge(answer, read);
      if (judged.kind === 'failed') failed(judged.cause);
      else failures = 0;
      note(method, judged.kind);
      return judged;
    },
  };
}

function judge<T extends object>(
  answer: UpstreamAnswer<unknown>,
  read: (result: unknown) => T | undefined,
): UpstreamAnswer<T> {
  if (answer.kind !== 'answered') return answer;
  const value = read(answer.value);
  return value === undefined ? useless : { kind: 'answered', value };
}

const useless = { kind: 'failed', cause: 'its answer names another contract, more gas or another form' } as const;

const tooManyOpen = { kind: 'failed', cause: 'too many questions to it are open' } as const;

let lastId = 0;

async function post(
  dispatcher: Agent,
  { url, timeoutMs }: UpstreamConfig,
  question: { readonly method: string; readonly params: readonly unknown[] },
): Promise<UpstreamAnswer<unknown>> {
  lastId += 1;
  try {
    const { statusCode, body } = await request(url.reveal(), {
      ...{ dispatcher, method: 'POST', headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      headers: { 'content-type': 'application/json', 'user-agent': 'tollfree' },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, ...question }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return readAnswer(statusCode, await body.text());
  } catch {
    // The error may contain the URL, which is a secret.
    return { kind: 'failed', cause: 'it did not answer in time, or with too many bytes' };
  }
}

function readAnswer(status: number, text: string): UpstreamAnswer<unknown> {
  const answer = parseObject(text);
  if (answer?.error !== undefined && answer.error !== null && status < 500) {
    const { code } = Object(answer.error) as { code?: unknown };
    return typeof code === 'number' && Number.isSafeInteger(code) ? { kind: 'refused', code } : { kind: 'refused' };
  }
  if (status < 200 || status > 299) return { kind: 'failed', cause: `it answered with HTTP status ${status}` };
  if (answer === undefined) return { kind: 'failed', cause: 'its answer is not JSON' };
  return { kind: 'answered', value: answer.result };
}

function parseObject(text: string): { readonly result?: unknown; readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
