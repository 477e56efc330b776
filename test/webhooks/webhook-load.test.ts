import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { webhookLimits } from '../../core/webhooks/webhook-caller.ts';
import { approve, startCaller, startWebhookServer, webhookAt } from '../support/servers/webhook-server.ts';

const approval = '{"arePoliciesVerified":true}';

/** A receiver that holds every request but those of `/now` until it is told to let go. */
async function startHoldingServer() {
  const held: ServerResponse[] = [];
  let open = false;
  const server = await startWebhookServer((response, { request }) => {
    if (open || request.url === '/now') response.end(approval);
    else held.push(response);
  });
  return {
    ...server,
    held,
    release() {
      open = true;
      for (const response of held) response.end(approval);
    },
  };
}

/** The time limits that are set from now on, in their order: each ends when it is aborted here, not by the machine's clock. */
function holdTimeLimits(): AbortController[] {
  const limits: AbortController[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return limits;
}

/** Until the test ends, callers keep the connections of so many webhooks. */
function keepLanes(lanes: number): void {
  const { lanes: before } = webhookLimits;
  Object.assign(webhookLimits, { lanes });
  onTestFinished(() => void Object.assign(webhookLimits, { lanes: before }));
}

test('calls of a webhook are all made, though so many other webhooks are called that its connections make room', async () => {
  holdTimeLimits();
  keepLanes(64);
  const server = await startHoldingServer();
  const caller = startCaller();
  const calls = Array.from({ length: 24 }, () => caller.call(webhookAt(server.url), '{}'));
  await vi.waitFor(() => expect(server.held).toHaveLength(8));
  for (let other = 0; other <= webhookLimits.lanes; other += 1) {
    // Nothing listens there.
    await caller.call(webhookAt('http://127.0.0.1:1/hook', { webhookId: `flood-${other}` }), '{}');
  }
  server.release();
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual(Array(24).fill(true));
});

describe('calls at once', () => {
  test('one webhook gets at most 8, the others wait for their turn', async () => {
    const server = await startHoldingServer();
    const caller = startCaller();
    const calls = Array.from({ length: 24 }, () => caller.call(webhookAt(server.url), '{}'));
    // A call to another webhook, begun after all of these, has gone all the way: so have those that could.
    const other = webhookAt(`http://127.0.0.1:${server.port}/now`, { webhookId: 'hook-2' });
    for (let round = 0; round < 3; round += 1) expect((await caller.call(other, '{}')).ok).toBe(true);
    expect(server.held).toHaveLength(8);

    server.release();
    expect((await Promise.all(calls)).every((result) => result.ok)).toBe(true);
    expect(server.received).toHaveLength(24 + 3);
  });

  test('no more than 32 wait: the next is refused at once', async () => {
    const server = await startHoldingServer();
    const caller = startCaller();
    const calls = Array.from({ length: 8 + 32 }, () => caller.call(webhookAt(server.url), '{}'));
    expect(await caller.call(webhookAt(server.url), '{}')).toMatchObject({
      refusal: { reason: 'WEBHOOK_UNAVAILABLE', message: 'Webhook hook-1 has too many calls waiting.' },
    });
    server.release();
    expect((await Promise.all(calls)).every((result) => result.ok)).toBe(true);
  });

  test('waiting counts: behind a webhook that never answers everybody is refused in time, unsent', async () => {
    const server = await startHoldingServer();
    const limits = holdTimeLimits();
    const caller = startCaller({ config: { timeoutMs: 100 } });
    const calls = Array.from({ length: 12 }, () => caller.call(webhookAt(server.url), '{}'));
    await vi.waitFor(() => expect(server.held).toHaveLength(8));
    // Those that wait are told first: a turn that comes a moment before one's time is up is still taken.
    for (const limit of limits.reverse()) limit.abort(new DOMException('The time is up.', 'TimeoutError'));
    const results = await Promise.all(calls);
    const messages = results.map((result) => (result.ok ? 'approved' : result.refusal.message));
    expect(new Set(messages)).toEqual(new Set(['Webhook hook-1 did not answer within 100 ms.']));
    expect(server.received).toHaveLength(8);
  });
});

describe('a webhook that is down', () => {
  const { outagesBeforePause, pauseMs } = webhookLimits;

  async function startTroubled() {
    const state = { status: 500, body: approval, now: 1_700_000_000_000 };
    const outages: string[] = [];
    const server = await startWebhookServer((response) => response.writeHead(state.status).end(state.body));
    const onOutage = (webhookId: string) => void outages.push(webhookId);
    const caller = startCaller({ context: { clock: { now: () => state.now }, onOutage } });
    const call = async (webhookId = 'hook-1') => {
      const result = await caller.call(webhookAt(server.url, { webhookId }), '{}');
      return result.ok ? 'approved' : result.refusal.message;
    };
    const callOften = async (times: number) => {
      for (let count = 0; count < times; count += 1) await call();
    };
    const tryOut = async () => (await caller.test(webhookAt(server.url))).verdict;
    return { state, server, call, callOften, tryOut, outages };
  }

  test('is left alone after five outages in a row, and asked again after the pause', async () => {
    const { state, server, call, callOften } = await startTroubled();
    await callOften(outagesBeforePause);
    expect(server.received).toHaveLength(outagesBeforePause);

    state.status = 200;
    expect(await call()).toBe('Webhook hook-1 did not respond several times in a row and is skipped for a short time.');
    state.now += pauseMs - 1;
    expect(await call()).toContain('is skipped');
    expect(server.received).toHaveLength(outagesBeforePause);

    state.now += 1;
    expect(await call()).toBe('approved');
    expect(await call()).toBe('approved');
  });

  test('gets one call as a trial, and another pause when that fails', async () => {
    const { state, server, call, callOften } = await startTroubled();
    await callOften(outagesBeforePause);
    state.now += pauseMs;
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers.filter((answer) => answer.includes('answered 500'))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('is skipped'))).toHaveLength(2);
    expect(await call()).toContain('is skipped');
    expect(server.received).toHaveLength(outagesBeforePause + 1);
  });

  test('is told of by name as each of its pauses begins', async () => {
    const { state, call, callOften, outages } = await startTroubled();
    await callOften(outagesBeforePause - 1);
    expect(outages).toEqual([]);
    await callOften(3);
    expect(outages).toEqual(['hook-1']);
    state.now += pauseMs;
    await call();
    expect(outages).toEqual(['hook-1', 'hook-1']);
  });

  test('does not hold up another webhook of the same host', async () => {
    const { state, call, callOften } = await startTroubled();
    await callOften(outagesBeforePause);
    state.status = 200;
    expect(await call('hook-2')).toBe('approved');
  });

  test('is not one that says false, or answers wrongly, or fails now and then', async () => {
    const { state, server, call, callOften } = await startTroubled();
    const times = outagesBeforePause + 1;
    Object.assign(state, { status: 200, body: '{"arePoliciesVerified":false}' });
    await callOften(times);
    Object.assign(state, { status: 404, body: '' });
    await callOften(times);
    state.status = 500;
    await callOften(outagesBeforePause - 1);
    Object.assign(state, { status: 200, body: approval });
    expect(await call()).toBe('approved');
    state.status = 500;
    await callOften(outagesBeforePause - 1);
    state.status = 200;
    expect(await call()).toBe('approved');
    expect(server.received).toHaveLength(2 * times + 2 * outagesBeforePause);
  });

  test('can be tested all the while, and tests neither make it one nor make it none', async () => {
    const { state, call, callOften, tryOut } = await startTroubled();
    for (let count = 0; count <= outagesBeforePause; count += 1) expect(await tryOut()).toBe('unavailable');
    expect(await call()).toBe('Webhook hook-1 answered 500.');
    await callOften(outagesBeforePause - 1);
    state.status = 200;
    expect(await tryOut()).toBe('approved');
    expect(await call()).toContain('is skipped');
  });

  test('is noticed also when no one listens', async () => {
    const server = await startWebhookServer(approve);
    const caller = startCaller({ config: { allowedRanges: [] } });
    for (let count = 0; count < outagesBeforePause; count += 1) await caller.call(webhookAt(server.url), '{}');
    const result = await caller.call(webhookAt(server.url), '{}');
    expect(JSON.stringify(result)).toContain('is skipped');
  });
});
