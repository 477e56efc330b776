import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createChainClient } from '../../core/node/chain-client.ts';
import { explainNodeFailure } from '../../core/node/node-error.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';

/** A server that answers everything like this. */
async function answering(status: number, body = ''): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
}

/** What is said of a node that is asked for its chain. */
async function said(url: string): Promise<string> {
  const nodes = { chainId: 1, name: 'One', nodeUrls: [url], callTimeoutMs: 1_000, pollIntervalMs: 1_000 };
  const { text, remedy } = await createChainClient(nodes)
    .getChainId()
    .then(() => Promise.reject(new Error('It answers.')), explainNodeFailure);
  return `${text} ${remedy}`;
}

test.each([
  [401, /refuses the key in its URL/, /Copy the URL with its key/],
  [403, /refuses the key in its URL/, /plan covers this chain/],
  [404, /no node at that path/, /path included/],
  [429, /rate limit/, /higher limit, or add another node/],
  [502, /failure of its own/, /another node/],
])('a node that answers HTTP %i is described with what to do', async (status, text, remedy) => {
  const sentence = await said(await answering(status));
  expect(sentence).toMatch(text);
  expect(sentence).toMatch(remedy);
  expect(sentence).not.toContain('secret-key');
});

test('a limit that is reported in JSON-RPC is a limit, with whatever HTTP status', async () => {
  const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_005, message: 'secret-key: too many' } });
  for (const status of [200, 403]) {
    const sentence = await said(await answering(status, error));
    expect(sentence).toMatch(/rate limit \(429\)/);
    expect(sentence).not.toContain('secret-key');
  }
});

test('HTTP status 429 is a limit, with whatever code of JSON-RPC', async () => {
  for (const code of [-32_000, -32_029, -32_602, 3]) {
    const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'too many requests' } });
    expect(await said(await answering(429, error))).toMatch(/rate limit \(429\)/);
  }
});

test('a name without an address, a refused connection and silence are three things', async () => {
  expect(await said('http://node.invalid/secret-key')).toMatch(/cannot be resolved \(DNS\)/);
  expect(await said(`http://127.0.0.1:${await findClosedPort()}/secret-key`)).toMatch(/refuses connections/);
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  expect(await said(`http://127.0.0.1:${port}/secret-key`)).toMatch(/did not respond in time/);
});
