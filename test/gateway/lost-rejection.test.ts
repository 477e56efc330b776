import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { compiledProcess } from '../support/command-line/compiled-process.ts';
import { bothHeaders, prefix, rpcPath, send } from '../support/gateway/start-test-gateway.ts';

/** A gateway that loses rejections, its output line by line, and what its end resolves to. */
async function startFailing() {
  const child = spawn(process.execPath, [compiledProcess('test/gateway/failing-gateway')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  const url = String((await nextLine()).url);
  return { url, child, ended, nextLine };
}

const json = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };

test('a promise rejected unseen fails its own request and nothing else', async () => {
  const { url, child, ended, nextLine } = await startFailing();
  const listed = await send(`${url}${prefix}/paymaster`, 'GET', {
    headers: { ...bothHeaders, 'x-request-id': 'mine' },
  });
  expect([listed.status, listed.body]).toEqual([500, { statusCode: 500, message: 'Internal error (request mine)' }]);
  expect(await nextLine()).toEqual({ message: 'request failed', lost: true });
  await nextLine();

  const asked = await send(`${url}${rpcPath}`, 'POST', { json });
  expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([500, '*']);
  expect(asked.body).toMatchObject({ error: { code: -32603, data: { reason: 'INTERNAL' } } });
  expect((await send(`${url}/livez`, 'GET')).status).toBe(200);

  child.stdin.end();
  expect((await ended)[0]).toBe(1);
}, 30_000);

test('many requests that lose rejections at once, at first and later, end nothing but themselves', async () => {
  const { url } = await startFailing();
  for (const _ of ['first', 'later']) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(`${url}${rpcPath}`, 'POST', { json })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
  }
  expect((await send(`${url}/livez`, 'GET')).status).toBe(200);
}, 30_000);

test('after a first lost rejection, a request waits undisturbed while others fail', async () => {
  const { url, child, nextLine } = await startFailing();
  await send(`${url}${rpcPath}`, 'POST', { json });
  const waiting = send(`${url}${rpcPath}`, 'POST', {
    json: { ...json, method: 'pm_supportedEntryPoints', params: [] },
  });
  while ((await nextLine()).message !== 'asked for EntryPoints');
  expect((await send(`${url}${rpcPath}`, 'POST', { json })).status).toBe(500);
  child.stdin.write('\n');
  expect((await waiting).status).toBe(200);
}, 30_000);
