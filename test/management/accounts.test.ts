import { describe, expect, test, vi } from 'vitest';
import { scopes } from '../../core/domain/access/actor.ts';
import { generateAuthToken } from '../../core/management/accounts/find-auth-token.ts';
import {
  accepted,
  newAccount,
  newPaymaster,
  refusalOf,
  startManagement,
  startTime,
} from '../support/core/start-management.ts';

const unauthenticated = 'UNAUTHENTICATED: Auth token is required in the headers';
const unknownId = '00000000-0000-4000-8000-000000000000';

describe('accounts', () => {
  test('are listed in the order they were made', async () => {
    const { management, clock } = await startManagement();
    const first = accepted(await management.createAccount({ name: 'Ada' }));
    clock.advance(1);
    const second = accepted(await management.createAccount({ name: 'Grace' }));
    expect(first).toMatchObject({ name: 'Ada', createdAt: startTime });
    expect(accepted(await management.listAccounts({}))).toEqual([first, second]);
  });

  test.each(['', '  ', 'a\u0000b', 'line\nbreak', 'x'.repeat(129)])('are not named %j', async (name) => {
    const { management } = await startManagement();
    expect(refusalOf(await management.createAccount({ name }))).toMatch('INVALID_FIELD: name must be a string');
  });

  test('are not made by an invitation of what is no wallet, of a bad name, or of a wallet that has one', async () => {
    const { management } = await startManagement();
    const wallet = '0x5a92a1d75cb1a9bcdc44c6fa4bbb1fb2db2eea3e';
    const account = accepted(await management.inviteAccount({ wallet }));
    const invite = async (input: { wallet: string; name?: string }) => refusalOf(await management.inviteAccount(input));
    expect(await invite({ wallet: '0x5a92' })).toBe('INVALID_FIELD: wallet must be a valid address');
    expect(await invite({ wallet: `0x${'1'.repeat(40)}`, name: ' ' })).toMatch('INVALID_FIELD: name must be a string');
    expect(await invite({ wallet })).toBe('WALLET_TAKEN: Wallet already belongs to an account');
    expect(accepted(await management.listAccounts({}))).toEqual([account]);
  });
});

describe('authTokens', () => {
  test('authenticate their account', async () => {
    const { management } = await startManagement();
    const accountId = await newAccount(management);
    const { authToken } = accepted(await management.createAuthToken({ accountId, name: 'ci' }));
    expect(accepted(await management.authenticate({ authToken }))).toMatchObject({ accountId });
  });

  test('are listed by name and times, never with the token', async () => {
    const { management } = await startManagement();
    const accountId = await newAccount(management);
    const expiresAt = startTime + 60;
    const { authToken, record } = accepted(await management.createAuthToken({ accountId, name: 'ci', expiresAt }));
    expect(record).toEqual({ authTokenId: record.authTokenId, name: 'ci', scopes, createdAt: startTime, expiresAt });
    const listed = accepted(await management.listAuthTokens({ accountId }));
    expect(listed).toEqual([record]);
    expect(JSON.stringify(listed)).not.toContain(authToken.slice(3, 20));
  });

  test('are accepted until the second they expire in', async () => {
    const { management, clock } = await startManagement();
    const accountId = await newAccount(management);
    const input = { accountId, name: 'ci', expiresAt: startTime + 60 };
    const { authToken } = accepted(await management.createAuthToken(input));
    clock.advance(59);
    expect((await management.authenticate({ authToken })).ok).toBe(true);
    clock.advance(1);
    expect(refusalOf(await management.authenticate({ authToken }))).toBe(unauthenticated);
  });

  test('are refused once revoked, and the others of the account are not', async () => {
    const { management, clock } = await startManagement();
    const accountId = await newAccount(management);
    const kept = accepted(await management.createAuthToken({ accountId, name: 'kept' }));
    const { authToken, record } = accepted(await management.createAuthToken({ accountId, name: 'lost' }));
    clock.advance(5);
    const revoke = { accountId, authTokenId: record.authTokenId };
    expect(accepted(await management.revokeAuthToken(revoke)).revokedAt).toBe(startTime + 5);
    expect(refusalOf(await management.authenticate({ authToken }))).toBe(unauthenticated);
    expect((await management.authenticate({ authToken: kept.authToken })).ok).toBe(true);
  });

  test('keep the time of their first revocation', async () => {
    const { management, clock } = await startManagement();
    const accountId = await newAccount(management);
    const { record } = accepted(await management.createAuthToken({ accountId, name: 'lost' }));
    const revoke = { accountId, authTokenId: record.authTokenId };
    const first = accepted(await management.revokeAuthToken(revoke));
    clock.advance(5);
    expect(accepted(await management.revokeAuthToken(revoke))).toEqual(first);
  });

  test('are accepted again once the database responds again', async () => {
    const { management, store } = await startManagement();
    const accountId = await newAccount(management);
    const { authToken } = accepted(await management.createAuthToken({ accountId, name: 'ci' }));
    vi.spyOn(store.db, 'selectFrom').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    await expect(management.authenticate({ authToken })).rejects.toThrow('the disk is full');
    expect((await management.authenticate({ authToken })).ok).toBe(true);
  });

  test('unknown, malformed, expired and revoked ones get one answer', async () => {
    const { management, clock } = await startManagement();
    const accountId = await newAccount(management);
    const expired = accepted(await management.createAuthToken({ accountId, name: 'a', expiresAt: startTime + 1 }));
    const revoked = accepted(await management.createAuthToken({ accountId, name: 'b' }));
    await management.revokeAuthToken({ accountId, authTokenId: revoked.record.authTokenId });
    clock.advance(10);
    const answers = [];
    for (const authToken of [expired.authToken, revoked.authToken, generateAuthToken(), 'tf_nonsense', '']) {
      answers.push(await management.authenticate({ authToken }));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test.each([startTime, startTime - 1, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, startTime + 0.5])(
    'cannot expire at %d',
    async (expiresAt) => {
      const { management } = await startManagement();
      const accountId = await newAccount(management);
      expect(refusalOf(await management.createAuthToken({ accountId, name: 'ci', expiresAt }))).toBe(
        'INVALID_FIELD: expiresAt must be a time in the future',
      );
    },
  );

  test('of an unknown account are not issued, listed or revoked', async () => {
    const { management } = await startManagement();
    const notFound = 'ACCOUNT_NOT_FOUND: Account not found';
    expect(refusalOf(await management.createAuthToken({ accountId: unknownId, name: 'ci' }))).toBe(notFound);
    expect(refusalOf(await management.listAuthTokens({ accountId: unknownId }))).toBe(notFound);
  });

  test('of another account and unknown ones are not revoked, in the same words', async () => {
    const { management } = await startManagement();
    const [mine, other] = [await newAccount(management), await newAccount(management)];
    const { authToken, record } = accepted(await management.createAuthToken({ accountId: other, name: 'ci' }));
    for (const authTokenId of [record.authTokenId, unknownId]) {
      expect(refusalOf(await management.revokeAuthToken({ accountId: mine, authTokenId }))).toBe(
        'AUTH_TOKEN_NOT_FOUND: Auth token not found',
      );
    }
    expect((await management.authenticate({ authToken })).ok).toBe(true);
  });
});

describe('apiKeys', () => {
  test('name their paymaster next to an authToken of its account', async () => {
    const { management } = await startManagement();
    const { owned, paymaster } = await newPaymaster(management);
    const { authToken } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'ci' }));
    expect(accepted(await management.authenticate({ authToken, apiKey: paymaster.apiKey }))).toMatchObject(owned);
  });

  test('of another account, unknown, malformed and empty ones get one answer', async () => {
    const { management } = await startManagement();
    const { owned } = await newPaymaster(management);
    const foreign = await newPaymaster(management);
    const { authToken } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'ci' }));
    const unknown = `AAAAAAAAA.${unknownId}`;
    for (const apiKey of [foreign.paymaster.apiKey, unknown, 'nonsense', '']) {
      expect(refusalOf(await management.authenticate({ authToken, apiKey })), apiKey).toBe(
        'API_KEY_NOT_ACCEPTED: Auth token and API key is required in the headers',
      );
    }
  });

  test('do not help an authToken that is not accepted', async () => {
    const { management } = await startManagement();
    const { paymaster } = await newPaymaster(management);
    const input = { authToken: generateAuthToken(), apiKey: paymaster.apiKey };
    expect(refusalOf(await management.authenticate(input))).toBe(
      'UNAUTHENTICATED: Auth token and API key is required in the headers',
    );
  });
});
