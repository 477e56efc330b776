import { describe, expect, test } from 'vitest';
import { type Actor, actAs, type Scope } from '../../core/domain/access/actor.ts';
import {
  accepted,
  newAccount,
  refusalOf,
  startManagement,
  startTime,
  type TestManagement,
} from '../support/core/start-management.ts';

const day = 86_400;

type Wish = { readonly scopes?: readonly string[]; readonly expiresAt?: number };

/** An authToken of the operator's making, and who shows it. */
async function issue({ management }: TestManagement, accountId: string, wish: Wish) {
  const { authToken, record } = accepted(await management.createAuthToken({ accountId, name: 'first', ...wish }));
  const holder: Actor = { kind: 'auth-token', accountId, credentialId: record.authTokenId };
  const make = (wished: Wish) =>
    actAs(holder, () => management.createAuthToken({ accountId, name: 'second', ...wished }));
  return { authToken, record, holder, make };
}

describe('an authToken', () => {
  test('has the scopes it was made with, all three when nothing is said', async () => {
    const service = await startManagement();
    const accountId = await newAccount(service.management);
    const whole = await issue(service, accountId, {});
    const reading = await issue(service, accountId, { scopes: ['read'] });
    const scopesOf = async (authToken: string) => accepted(await service.management.authenticate({ authToken })).scopes;
    expect(await scopesOf(whole.authToken)).toEqual(['read', 'manage', 'funds']);
    expect(await scopesOf(reading.authToken)).toEqual(['read']);
    expect(accepted(await service.management.readSession({ authToken: reading.authToken })).scopes).toEqual(['read']);
  });

  test.each([[[]], [['all']], [['read', 'read']], [['read', 'owner']]])('cannot have the scopes %j', async (scopes) => {
    const { management } = await startManagement();
    const accountId = await newAccount(management);
    expect(refusalOf(await management.createAuthToken({ accountId, name: 'x', scopes }))).toBe(
      'INVALID_FIELD: scopes must be one or more of read, manage, funds, each once',
    );
    expect(accepted(await management.listAuthTokens({ accountId }))).toEqual([]);
  });

  test('makes none with more scopes or a later end than its own, and gives its own where nothing is wished', async () => {
    const service = await startManagement();
    const accountId = await newAccount(service.management);
    const end = startTime + day;
    const { make } = await issue(service, accountId, { scopes: ['manage'], expiresAt: end });
    expect(refusalOf(await make({ scopes: ['manage', 'funds'] }))).toBe('SCOPE_MISSING: The scope funds is missing');
    expect(refusalOf(await make({ scopes: ['read'] }))).toBe('SCOPE_MISSING: The scope read is missing');
    expect(refusalOf(await make({ expiresAt: end + 1 }))).toMatch('INVALID_FIELD: expiresAt must not be later');
    expect(accepted(await make({})).record).toMatchObject({ scopes: ['manage'], expiresAt: end });
    expect(accepted(await make({ expiresAt: end - 1 })).record).toMatchObject({ expiresAt: end - 1 });
  });

  test('makes none once it has expired or was revoked, although it was accepted before', async () => {
    const service = await startManagement();
    const accountId = await newAccount(service.management);
    const short = await issue(service, accountId, { expiresAt: startTime + day });
    const revoked = await issue(service, accountId, {});
    accepted(await service.management.revokeAuthToken({ accountId, authTokenId: revoked.record.authTokenId }));
    service.clock.advance(day);
    for (const { make } of [short, revoked]) expect((await make({})).ok).toBe(false);
    expect(accepted(await service.management.listAuthTokens({ accountId }))).toHaveLength(2);
  });

  test('revokes none that may more, and itself', async () => {
    const service = await startManagement();
    const accountId = await newAccount(service.management);
    const whole = await issue(service, accountId, {});
    const manager = await issue(service, accountId, { scopes: ['read', 'manage'] });
    const revoke = (authTokenId: string) =>
      actAs(manager.holder, () => service.management.revokeAuthToken({ accountId, authTokenId }));
    expect(refusalOf(await revoke(whole.record.authTokenId))).toMatch('SCOPE_MISSING');
    expect((await service.management.authenticate({ authToken: whole.authToken })).ok).toBe(true);
    expect((await revoke(manager.record.authTokenId)).ok).toBe(true);
  });

  test('passes its scopes and its end on to a session, and to what that makes', async () => {
    const service = await startManagement();
    const accountId = await newAccount(service.management);
    const few: readonly Scope[] = ['read', 'manage'];
    const { authToken } = await issue(service, accountId, { scopes: few, expiresAt: startTime + 30 * day });
    const { session, identity } = accepted(await service.management.signInWithAuthToken({ authToken }));
    expect(identity.scopes).toEqual(few);
    const caller = accepted(await service.management.authenticateSession({ session }));
    expect(caller.scopes).toEqual(few);
    const holder: Actor = { kind: 'session', accountId, ...(caller.sessionId && { credentialId: caller.sessionId }) };
    const make = (wish: Wish) =>
      actAs(holder, () => service.management.createAuthToken({ accountId, name: 'third', ...wish }));
    expect(refusalOf(await make({ scopes: ['funds'] }))).toMatch('SCOPE_MISSING');
    expect(accepted(await make({})).record).toMatchObject({ scopes: few, expiresAt: startTime + 30 * day });
  });
});
