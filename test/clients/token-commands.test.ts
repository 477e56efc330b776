import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { signIn } from '../support/interface/browser.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
let account: { readonly accountId: string; readonly authToken: string };
let client: ManagementClient;
let folder: string;

beforeAll(async () => {
  service = await startService();
  account = await service.issueAccount();
  client = service.managementOf(account.authToken);
  folder = mkdtempSync(join(tmpdir(), 'tollfree-test-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

/** Runs a command on the service as the account's holder. */
function run(...args: string[]) {
  const env = { TOLLFREE_URL: service.url, TOLLFREE_AUTH_TOKEN: account.authToken };
  return runInPlace(args, { cwd: folder, env });
}

test('an account holder generates a token, sees it listed, and revokes it', async () => {
  const created = await run('token', 'create', 'deploys', '--expires-in-days', '30');
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tf_[0-9A-Za-z]{36}\n$/) });
  const authToken = created.stdout.trim();
  const own = createManagementClient({ baseUrl: service.url, authToken });
  const { authTokenId = '', expiresAt } = await own.readSession();
  expect(created.stderr).toContain(authTokenId);
  expect(await own.listAuthTokens()).toContainEqual(
    expect.objectContaining({ authTokenId, name: 'deploys', expiresAt }),
  );

  const listed = await run('token', 'list');
  expect(listed.stdout).toContain(authTokenId);
  expect(listed.stdout).not.toContain('tf_');

  expect(await run('token', 'revoke', authTokenId)).toMatchObject({ code: 0, stdout: `revoked ${authTokenId}\n` });
  await expect(own.listAuthTokens()).rejects.toMatchObject({ status: 401 });
});

test('a client does the same', async () => {
  const { authToken, authTokenId } = await client.createAuthToken({ name: 'ci', expiresInDays: 1 });
  const own = createManagementClient({ baseUrl: service.url, authToken });
  expect(await own.readSession()).toMatchObject({ accountId: account.accountId, authTokenId });
  await client.revokeAuthToken({ authTokenId });
  await expect(own.readSession()).rejects.toMatchObject({ status: 401 });
  await expect(client.revokeAuthToken({ authTokenId: 'nonsense' })).rejects.toMatchObject({
    status: 404,
    message: 'Auth token not found',
  });
});

test('an account holder sees who is signed in, and signs out everywhere', async () => {
  const open = () => signIn(service, { authToken: account.authToken });
  await Promise.all([open(), open()]);
  const [first, second] = await client.listSessions();
  const listed = await run('session', 'list');
  expect(listed.stdout).toMatch(new RegExp(`${second?.sessionId} .*authToken test token`));
  await client.revokeSession({ sessionId: first?.sessionId ?? '' });
  expect((await client.listSessions()).map(({ sessionId }) => sessionId)).toEqual([second?.sessionId]);
  await expect(client.revokeSession({ sessionId: 'nonsense' })).rejects.toMatchObject({ status: 404 });
  expect(await run('session', 'revoke', '--all')).toMatchObject({ code: 0, stdout: 'ended all sessions\n' });
  expect(await client.listSessions()).toEqual([]);
  await open();
  await client.revokeAllSessions();
  expect(await client.listSessions()).toEqual([]);
});

test('a session that is not named is not all of them', async () => {
  for (const args of [[], ['some', '--all']]) {
    const refused = await run('session', 'revoke', ...args);
    expect(refused).toMatchObject({ code: 1, stderr: 'tollfree: Name a session, or all of them: --all.\n' });
  }
});

test('a number of days that is none is a sentence', async () => {
  const { code, stderr } = await run('token', 'create', 'a', '--expires-in-days', '0');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('--expires-in-days must be a whole number from 1 to 3650.'),
  });
});
