import { expect, test, vi } from 'vitest';
import { type Actor, actAs, currentActor, currentSignal } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
import { prefix, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { connectForTest, startTestServer } from './start-test-server.ts';

test('a core elsewhere learns in whose name it is asked, and that a peer which names no one is one', async () => {
  const { address, far } = await startTestServer();
  const core = connectForTest({ address });
  const seen: (Actor | undefined)[] = [];
  far.answerWith('createAccount', async () => {
    await Promise.resolve();
    seen.push(currentActor());
    return accept({ accountId: 'a-1', name: 'Acme', createdAt: 1_700_000_000 });
  });
  const someone: Actor = {
    kind: 'session',
    accountId: 'a-1',
    credentialId: 's-1',
    wallet: '0x00000000000000000000000000000000000000cc',
    address: '203.0.113.7',
    client: 'Firefox “ärger” 🦊',
  };

  await Promise.all([
    actAs(someone, () => core.createAccount({ name: 'Acme' })),
    actAs({ kind: 'operator' }, () => core.createAccount({ name: 'Acme' })),
    core.createAccount({ name: 'Acme' }),
  ]);

  expect(seen).toHaveLength(3);
  expect(seen).toContainEqual(someone);
  expect(seen).toContainEqual({ kind: 'operator' });
  expect(seen.filter((actor) => actor?.kind === 'peer')).toEqual([
    { kind: 'peer', address: expect.stringMatching(/\S/) },
  ]);
});

test('a core elsewhere ends its reading when the client of the gateway goes, and neither takes that for a fault', async () => {
  const { address, far, lines } = await startTestServer();
  let signal: AbortSignal | undefined;
  let end = () => {};
  far.answerWith('authenticate', async () => accept({ accountId: 'a-1', scopes: ['read'] }));
  far.answerWith('listMembers', async () => {
    signal = currentSignal();
    await new Promise<void>((resolve) => (end = resolve));
    return accept([]);
  });
  const { logger, lines: atGateway } = createRecordingLogger();
  const gateway = await startTestGateway({ core: connectForTest({ address }), logger, accessLog: false });
  const gone = new AbortController();
  const ask = (init: RequestInit) =>
    fetch(`${gateway.url}${prefix}/members`, { headers: { authToken: 'tf_one' }, ...init });
  const asked = ask({ signal: gone.signal });
  await vi.waitFor(() => expect(signal?.aborted).toBe(false));
  gone.abort();
  await expect(asked).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  end();
  // The next client is served.
  far.answerWith('listMembers', async () => accept([]));
  expect((await ask({})).status).toBe(200);
  expect([...lines, ...atGateway].filter(({ level }) => level === 'error')).toEqual([]);
});
