import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scopes } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
import { prefix, startTestGateway } from '../support/gateway/start-test-gateway.ts';

/** A gateway that notes in which turn of the event loop it begins with a tenant's request. */
async function startNotingGateway() {
  let turn = 0;
  let isCounting = true;
  const next = () => {
    turn += 1;
    if (isCounting) setImmediate(next);
  };
  setImmediate(next);
  const begun: { readonly tenant: string; readonly turn: number }[] = [];
  const { url } = await startTestGateway({
    limits: { managementBurst: 1_000 },
    core: {
      authenticate: async ({ authToken }) => {
        begun.push({ tenant: authToken, turn });
        return accept({ accountId: authToken, scopes });
      },
    },
  });
  const { hostname, port } = new URL(url);
  onTestFinished(() => {
    isCounting = false;
  });
  return {
    begun,
    /** A connection on which a tenant sends requests at once. */
    open: async (tenant: string) => {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      const text = `GET ${prefix}/paymaster HTTP/1.1\r\nHost: gateway\r\nauthToken: ${tenant}\r\n\r\n`;
      return { socket, ask: (times: number) => socket.write(text.repeat(times)) };
    },
  };
}

test('management requests that arrive at the same time begin one in a turn of the event loop', async () => {
  const { open, begun } = await startNotingGateway();
  (await open('greedy')).ask(60);
  await vi.waitFor(() => expect(begun).toHaveLength(60));
  expect(new Set(begun.map(({ turn }) => turn)).size).toBe(60);
});

test('requests of one tenant do not delay those of another at the same address', async () => {
  const { open, begun } = await startNotingGateway();
  const [greedy, modest] = [await open('greedy'), await open('modest')];
  greedy.ask(60);
  modest.ask(1);
  await once(modest.socket, 'data');
  expect(begun.findIndex(({ tenant }) => tenant === 'modest')).toBeLessThan(30);
});

test('a client that sends more than five hundred requests at once gets 429 for the rest', async () => {
  const { open } = await startNotingGateway();
  const { socket, ask } = await open('greedy');
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  ask(600);
  // The connection stays open: a client that ends its side is gone, and what it asked for is dropped.
  await vi.waitFor(() => expect(text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(600), 30_000);
  expect(text).toContain('"statusCode":429,"message":"Too many requests"');
});
