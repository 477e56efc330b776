import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bothHeaders, prefix, rpcPath, send } from '../support/gateway/start-test-gateway.ts';

const program = fileURLToPath(new URL('failing-gateway.ts', import.meta.url));

test('a promise rejected unseen fails its own request and nothing else', async () => {
  const node = ['--conditions=@tollfree/source', '--import', 'tsx', program];
  const child = spawn(process.execPath, node, { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  const url = String((await nextLine()).url);

  const listed = await send(`${url}${prefix}/paymaster`, 'GET', {
    headers: { ...bothHeaders, 'x-request-id': 'mine' },
  });
  expect([listed.status, listed.body]).toEqual([500, { statusCode: 500, message: 'Internal error (request mine)' }]);
  expect(await nextLine()).toEqual({ message: 'request failed', lost: true });
  await nextLine();

  const json = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
  const asked = await send(`${url}${rpcPath}`, 'POST', { json });
  expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([500, '*']);
  expect(asked.body).toMatchObject({ error: { code: -32603, data: { reason: 'INTERNAL' } } });
  expect((await send(`${url}/livez`, 'GET')).status).toBe(200);

  child.stdin.end('\n');
  expect((await ended)[0]).toBe(1);
}, 30_000);
