import { expect, test } from 'vitest';
import { type Actor, actAs, currentActor } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
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
