import { once } from 'node:events';
import { getDefaultAutoSelectFamily, type Socket, setDefaultAutoSelectFamily } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGuardedConnector } from '../../core/webhooks/guarded-connector.ts';
import { checkWebhookUrl, type ResolveHost } from '../../core/webhooks/resolve-host.ts';
import { testCertificate } from '../support/servers/test-certificate.ts';
import {
  approve,
  loopbackConfig,
  startCaller,
  startTlsWebhookServer,
  startWebhookServer,
  webhookAt,
} from '../support/servers/webhook-server.ts';

const unreachable = {
  ok: false,
  refusal: { reason: 'WEBHOOK_UNAVAILABLE', message: 'Webhook hook-1 could not be reached.' },
};

describe('addresses', () => {
  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '１２７.０.０.１'])(
    'the host %s is not connected to unless it is allowed',
    async (host) => {
      const server = await startWebhookServer(approve);
      const url = `http://${host}:${server.port}/hook`;
      expect(await startCaller({ config: { allowedRanges: [] } }).call(webhookAt(url), '{}')).toMatchObject(
        unreachable,
      );
      expect(server.connections()).toBe(0);
      expect((await startCaller().call(webhookAt(url), '{}')).ok).toBe(true);
    },
  );

  test('a name that changed its address after registration are not followed inside', async () => {
    const server = await startWebhookServer(approve);
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve: ResolveHost = async () => answers.shift() ?? [];
    const config = { ...loopbackConfig, allowedRanges: [] };
    const url = `http://rebind.example:${server.port}/hook`;

    expect(await checkWebhookUrl(url, config, resolve)).toBe('accepted');
    expect(await startCaller({ config, context: { resolve } }).call(webhookAt(url), '{}')).toMatchObject(unreachable);
    expect(answers).toHaveLength(0);
    expect(server.connections()).toBe(0);
  });

  test('a name is looked up again for each new connection', async () => {
    const server = await startWebhookServer((response) =>
      response.writeHead(200, { connection: 'close' }).end('{"arePoliciesVerified":true}'),
    );
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolve: ResolveHost = async () => answers.shift() ?? [];
    const caller = startCaller({ context: { resolve } });
    const webhook = webhookAt(`http://rebind.example:${server.port}/hook`);

    expect((await caller.call(webhook, '{}')).ok).toBe(true);
    expect(await caller.call(webhook, '{}')).toMatchObject(unreachable);
    expect(server.received).toHaveLength(1);
  });

  test('a name that also has a forbidden address is not called at its good one', async () => {
    const server = await startWebhookServer(approve);
    const resolve: ResolveHost = async () => ['127.0.0.1', '10.0.0.1'];
    const caller = startCaller({ context: { resolve } });
    expect(await caller.call(webhookAt(`http://mixed.example:${server.port}/`), '{}')).toMatchObject(unreachable);
    expect(server.connections()).toBe(0);
  });

  test('a socket that ended up at a forbidden peer is closed unused', async () => {
    const server = await startWebhookServer(approve);
    const verdicts = [true, false];
    const connect = createGuardedConnector({
      isAllowed: () => verdicts.shift() ?? false,
      resolve: async () => ['127.0.0.1'],
      timeoutMs: 1_000,
    });
    const target = { hostname: 'peer.example', host: 'peer.example', protocol: 'http:', port: String(server.port) };
    const [error, socket] = await new Promise<[Error | null, Socket | null]>((resolve) => {
      connect(target, (...outcome) => resolve(outcome));
    });
    expect(error).toBeInstanceOf(Error);
    expect(socket).toBeNull();
    expect(verdicts).toHaveLength(0);
  });

  test('a look-up that never ends costs the connect time-out and no more', async () => {
    const resolve: ResolveHost = () => new Promise(() => undefined);
    const caller = startCaller({ config: { connectTimeoutMs: 50 }, context: { resolve } });
    expect(await caller.call(webhookAt('http://silent.example/'), '{}')).toMatchObject(unreachable);
  });

  test('a name is called at its first address where the process does not choose among families', async () => {
    const before = getDefaultAutoSelectFamily();
    onTestFinished(() => setDefaultAutoSelectFamily(before));
    setDefaultAutoSelectFamily(false);
    const server = await startWebhookServer(approve);
    const resolve: ResolveHost = async () => ['127.0.0.1', '::1'];
    const caller = startCaller({ context: { resolve } });
    expect((await caller.call(webhookAt(`http://one.example:${server.port}/`), '{}')).ok).toBe(true);
  });

  test('localhost is found without DNS', async () => {
    const server = await startWebhookServer(approve);
    expect((await startCaller().call(webhookAt(`http://localhost:${server.port}/hook`), '{}')).ok).toBe(true);
  });

  test.each(['ftp://127.0.0.1/', 'http://user:password@127.0.0.1/', 'not a url'])(
    'a stored URL that would not be registered now (%s) is not called',
    async (url) => {
      expect(await startCaller().call(webhookAt(url), '{}')).toMatchObject({
        refusal: { reason: 'WEBHOOK_UNAVAILABLE', message: 'Webhook hook-1 has a URL that is not allowed.' },
      });
    },
  );

  test('a plain http URL is not called where only https is allowed', async () => {
    const server = await startWebhookServer(approve);
    const result = await startCaller({ config: { allowHttp: false } }).call(webhookAt(server.url), '{}');
    expect(result.ok).toBe(false);
    expect(server.connections()).toBe(0);
  });
});

describe('TLS', () => {
  const resolve: ResolveHost = async () => ['127.0.0.1'];

  test('a certificate of a trusted authority for this name is accepted', async () => {
    const server = await startTlsWebhookServer(approve);
    const caller = startCaller({ config: { allowHttp: false }, context: { resolve, ca: testCertificate.cert } });
    const webhook = webhookAt(`https://policies.example:${server.port}/hook`);
    expect((await caller.call(webhook, '{}')).ok).toBe(true);
  });

  test.each([
    ['of an unknown authority', 'policies.example', undefined],
    ['for another name', 'other.example', testCertificate.cert],
    ['for a name where an address was called', '127.0.0.1', testCertificate.cert],
  ])('a certificate %s is not', async (_what, host, ca) => {
    const server = await startTlsWebhookServer(approve);
    const caller = startCaller({ context: { resolve, ...(ca === undefined ? {} : { ca }) } });
    const result = await caller.call(webhookAt(`https://${host}:${server.port}/hook`), '{}');
    expect(result).toMatchObject({ refusal: { reason: 'WEBHOOK_UNAVAILABLE' } });
    expect(JSON.stringify(result)).toContain('TLS certificate');
    expect(server.received).toHaveLength(0);
  });

  test('a server that does not speak TLS is not', async () => {
    const server = await startWebhookServer(approve);
    const result = await startCaller().call(webhookAt(`https://127.0.0.1:${server.port}/hook`), '{}');
    expect(result).toMatchObject({ refusal: { reason: 'WEBHOOK_UNAVAILABLE' } });
    expect(server.received).toHaveLength(0);
  });
});

describe('closing', () => {
  test('ends idle connections', async () => {
    const server = await startWebhookServer(approve);
    const caller = startCaller();
    await caller.call(webhookAt(server.url), '{}');
    const [first] = server.received;
    expect(first?.request.socket.destroyed).toBe(false);
    await caller.close();
    if (first?.request.socket.destroyed === false) await once(first.request.socket, 'close');
  });

  test('refuses the calls that are still open', async () => {
    const caller = startCaller();
    const server = await startWebhookServer(() => void caller.close());
    expect(await caller.call(webhookAt(server.url), '{}')).toMatchObject({
      refusal: { message: 'Webhook hook-1 was not waited for: the service is stopping.' },
    });
  });
});
