import { omitAbsent } from '@tollfree/contract/omit-absent';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { type Actor, actAs } from '../../core/domain/access/actor.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { signInLimits } from '../../core/management/accounts/sign-in-limits.ts';
import { signInAs } from '../support/core/sign-in-as.ts';
import {
  accepted,
  newAccount,
  refusalOf,
  startManagement,
  startTime,
  type TestManagement,
} from '../support/core/start-management.ts';

const newWallet = () => privateKeyToAccount(generatePrivateKey());

/** Someone in the account who is signed in, and the one in whose name his requests are. */
async function enter({ management }: TestManagement, wallet: PrivateKeyAccount, accountId?: string) {
  const begun = accepted(await signInAs(management, wallet, omitAbsent({ accountId })));
  const found = accepted(await management.authenticateSession({ session: begun.session }));
  const actor: Actor = {
    kind: 'session',
    accountId: found.accountId,
    ...omitAbsent({ credentialId: found.sessionId, wallet: found.wallet }),
  };
  return { ...begun, actor, wallet };
}

/** An account with an owner, a manager and a viewer who are all signed in. */
async function startTeam() {
  const service = await startManagement({ signUp: 'invited' });
  const { management } = service;
  const [ada, max, vic] = [newWallet(), newWallet(), newWallet()];
  const { accountId } = accepted(await management.inviteAccount({ wallet: ada.address, name: 'Team' }));
  const owner = await enter(service, ada);
  for (const [wallet, role] of [
    [max, 'manager'],
    [vic, 'viewer'],
  ] as const) {
    accepted(await actAs(owner.actor, () => management.addMember({ accountId, wallet: wallet.address, role })));
  }
  return {
    ...service,
    service,
    accountId,
    owner,
    manager: await enter(service, max),
    viewer: await enter(service, vic),
  };
}

test('members sign in with the scopes of their roles, also those who were invited before they ever came', async () => {
  const { management, accountId, owner, manager, viewer } = await startTeam();
  const seen = [owner, manager, viewer].map(({ identity, wallet }) => ({
    account: identity.accountId,
    role: identity.role,
    scopes: identity.scopes,
    isIts: identity.wallet === wallet.address,
  }));
  expect(seen).toEqual([
    { account: accountId, role: 'owner', scopes: ['read', 'manage', 'funds'], isIts: true },
    { account: accountId, role: 'manager', scopes: ['read', 'manage'], isIts: true },
    { account: accountId, role: 'viewer', scopes: ['read'], isIts: true },
  ]);
  const listed = accepted(await management.listMembers({ accountId }));
  expect(listed.map(({ wallet, role, joinedAt }) => [wallet, role, joinedAt])).toEqual([
    [owner.wallet.address, 'owner', startTime],
    [manager.wallet.address, 'manager', startTime],
    [viewer.wallet.address, 'viewer', startTime],
  ]);
  expect((await management.authenticateSession({ session: viewer.session })).ok).toBe(true);
  expect(accepted(await management.readSession({ session: viewer.session }))).toEqual(viewer.identity);
});

describe('no one', () => {
  test.each(['manager', 'viewer'] as const)('changes members or adds scopes as a %s', async (role) => {
    const team = await startTeam();
    const { management, accountId, owner } = team;
    const { actor, wallet } = team[role];
    const [self, boss] = [
      { accountId, wallet: wallet.address },
      { accountId, wallet: owner.wallet.address },
    ];
    const before = accepted(await management.listMembers({ accountId }));
    const missing = role === 'viewer' ? 'The scope manage is missing' : 'The scope funds is missing';
    const attempts: (() => Promise<Result<unknown>>)[] = [
      () => management.changeMember({ ...self, role: 'owner' }),
      () => management.addMember({ accountId, wallet: newWallet().address, role: 'owner' }),
      () => management.removeMember(boss),
      () => management.renameMember({ ...boss, name: 'Not the boss' }),
      () => management.changeMember({ ...boss, role: 'viewer' }),
      () => management.createAuthToken({ accountId, name: 'more', scopes: ['read', 'manage', 'funds'] }),
    ];
    for (const attempt of attempts) {
      expect(refusalOf(await actAs(actor, attempt))).toBe(`SCOPE_MISSING: ${missing}`);
    }
    expect(accepted(await management.listMembers({ accountId }))).toEqual(before);
    expect(accepted(await management.listAuthTokens({ accountId }))).toEqual([]);
  });

  test('ends the session of one who may more, and his own always', async () => {
    const { management, accountId, owner, manager, viewer } = await startTeam();
    const all = accepted(await management.listSessions({ accountId, session: owner.session }));
    const sessionId = all.find(({ isCurrent }) => isCurrent)?.sessionId ?? '';
    const end = () => management.revokeSession({ accountId, sessionId });
    expect(refusalOf(await actAs(manager.actor, end))).toBe('SCOPE_MISSING: The scope funds is missing');
    accepted(await actAs(manager.actor, () => management.revokeAllSessions({ accountId })));
    const left = [owner, manager, viewer].map(({ session }) => management.authenticateSession({ session }));
    expect((await Promise.all(left)).map(({ ok }) => ok)).toEqual([true, false, false]);
  });

  test('drives out the sessions of others by signing in often', async () => {
    const { service, management, accountId, owner, viewer, clock } = await startTeam();
    for (let begun = 0; begun < signInLimits.maxSessions; begun += 1) {
      clock.advance(1);
      await enter(service, viewer.wallet, accountId);
    }
    expect((await management.authenticateSession({ session: owner.session })).ok).toBe(true);
    expect((await management.authenticateSession({ session: viewer.session })).ok).toBe(false);
  });

  test('changes members of an account that is not his, nor with a session of another one of his', async () => {
    const { service, management, accountId, manager } = await startTeam();
    const other = accepted(await management.inviteAccount({ wallet: manager.wallet.address })).accountId;
    const asOwner = await enter(service, manager.wallet, other);
    expect(asOwner.identity.role).toBe('owner');
    const change = { accountId, wallet: manager.wallet.address, role: 'owner' };
    expect(refusalOf(await actAs(asOwner.actor, () => management.changeMember(change)))).toMatch('UNAUTHENTICATED');
    expect(refusalOf(await signInAs(management, newWallet(), { accountId }))).toMatch('NOT_A_MEMBER');
  });
});

describe('a member that is removed', () => {
  test('is out at once: sessions, what it has made, what that has made, and a request under way', async () => {
    const { management, accountId, owner, manager } = await startTeam();
    const name = { accountId, name: 'ci' };
    const { authToken, record } = accepted(await actAs(manager.actor, () => management.createAuthToken(name)));
    const byToken: Actor = { kind: 'auth-token', accountId, credentialId: record.authTokenId };
    const child = accepted(await actAs(byToken, () => management.createAuthToken(name)));
    const begun = accepted(await management.signInWithAuthToken({ authToken: child.authToken }));
    const ofOperator = accepted(await management.createAuthToken(name));
    expect(record).toMatchObject({ madeBy: manager.wallet.address, scopes: ['read', 'manage'] });
    expect(child.record.madeBy).toBe(manager.wallet.address);

    const { address: wallet } = manager.wallet;
    accepted(await actAs(owner.actor, () => management.removeMember({ accountId, wallet })));
    // It passed authentication before; its change comes after.
    const input = { accountId, name: 'Late', type: 'HYBRID', chainId: 1337, version: '2.0.0' };
    for (const actor of [manager.actor, byToken]) {
      expect(refusalOf(await actAs(actor, () => management.createPaymaster(input)))).toMatch('UNAUTHENTICATED');
    }
    const shown = [
      management.authenticateSession({ session: manager.session }),
      management.authenticateSession({ session: begun.session }),
      management.authenticate({ authToken }),
      management.authenticate({ authToken: child.authToken }),
      management.authenticate({ authToken: ofOperator.authToken }),
    ];
    expect((await Promise.all(shown)).map(({ ok }) => ok)).toEqual([false, false, false, false, true]);
    expect(refusalOf(await signInAs(management, manager.wallet))).toMatch('SIGN_UP_CLOSED');

    accepted(await actAs(owner.actor, () => management.addMember({ accountId, wallet, role: 'manager' })));
    expect((await management.authenticate({ authToken })).ok, 'what it had comes back').toBe(false);
    expect((await management.authenticateSession({ session: manager.session })).ok).toBe(false);
  });

  test('may have an account of its own again', async () => {
    const { management, accountId, owner } = await startTeam();
    const other = newWallet();
    accepted(await management.linkWallet({ accountId, wallet: other.address }));
    expect((await management.authenticateSession({ session: owner.session })).ok).toBe(false);
    const next = accepted(await management.inviteAccount({ wallet: owner.wallet.address }));
    expect(accepted(await signInAs(management, owner.wallet)).identity.accountId).toBe(next.accountId);
  });
});

test('a role holds at once, for live sessions and for what they have made', async () => {
  const { management, accountId, owner, manager } = await startTeam();
  const { authToken } = accepted(
    await actAs(manager.actor, () => management.createAuthToken({ accountId, name: 'ci' })),
  );
  const scopesNow = async () => [
    accepted(await management.authenticateSession({ session: manager.session })).scopes,
    accepted(await management.authenticate({ authToken })).scopes,
    accepted(await management.listAuthTokens({ accountId }))[0]?.scopes,
  ];
  const change = { accountId, wallet: manager.wallet.address };
  accepted(await actAs(owner.actor, () => management.changeMember({ ...change, role: 'viewer' })));
  expect(await scopesNow()).toEqual([['read'], ['read'], ['read']]);
  accepted(await actAs(owner.actor, () => management.changeMember({ ...change, role: 'owner' })));
  // An authToken has no more than it was made with.
  expect(await scopesNow()).toEqual([
    ['read', 'manage', 'funds'],
    ['read', 'manage'],
    ['read', 'manage'],
  ]);
});

describe('an owner', () => {
  const lastOwner = 'LAST_OWNER: Account must keep an owner who has signed in';

  test('stays: of two that remove each other at the same time one does, however it ends', async () => {
    const { service, management, accountId, owner, manager } = await startTeam();
    const second = { accountId, wallet: manager.wallet.address };
    const first = { accountId, wallet: owner.wallet.address };
    accepted(await management.changeMember({ ...second, role: 'owner' }));
    const answers = await Promise.all([
      actAs(owner.actor, () => management.removeMember(second)),
      actAs(manager.actor, () => management.removeMember(first)),
    ]);
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
    const owners = accepted(await management.listMembers({ accountId })).filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    const left = owners[0]?.wallet === owner.wallet.address ? owner : manager;
    expect((await enter(service, left.wallet, accountId)).identity.role).toBe('owner');
  });

  test('stays: the last one who has signed in is neither removed nor lowered, not by himself either', async () => {
    const { management, accountId, owner } = await startTeam();
    const self = { accountId, wallet: owner.wallet.address };
    const invited = { accountId, wallet: newWallet().address, role: 'owner' };
    // An address that no one has signed in with may be a wrong one.
    accepted(await actAs(owner.actor, () => management.addMember(invited)));
    for (const attempt of [
      () => management.removeMember(self),
      () => management.changeMember({ ...self, role: 'manager' }),
    ]) {
      expect(refusalOf(await actAs(owner.actor, attempt))).toBe(lastOwner);
    }
    accepted(await actAs(owner.actor, () => management.removeMember(invited)));
    expect(accepted(await management.listMembers({ accountId }))).toHaveLength(3);
  });

  test('who was invited by mistake can be removed, also as the only one of an account with an authToken', async () => {
    const { management } = await startManagement();
    const accountId = await newAccount(management);
    const { record } = accepted(await management.createAuthToken({ accountId, name: 'operator' }));
    const actor: Actor = { kind: 'auth-token', accountId, credentialId: record.authTokenId };
    const wrong = { accountId, wallet: newWallet().address };
    const right = { accountId, wallet: newWallet().address, role: 'owner' };
    await actAs(actor, async () => {
      accepted(await management.addMember({ ...wrong, role: 'owner' }));
      accepted(await management.removeMember(wrong));
      accepted(await management.addMember({ ...wrong, role: 'owner' }));
      accepted(await management.changeMember({ ...wrong, role: 'viewer' }));
      accepted(await management.addMember(right));
    });
    const owners = accepted(await management.listMembers({ accountId })).filter(({ role }) => role === 'owner');
    expect(owners.map(({ wallet }) => wallet)).toEqual([right.wallet]);
  });

  test.each([
    [{ wallet: 'unknown' }, 'INVALID_FIELD: wallet must be a valid address'],
    [{ role: 'king' }, 'INVALID_FIELD: role must be one of owner, manager, viewer'],
    [{}, 'MEMBER_EXISTS: Wallet is already a member of the account'],
  ])('refuses to invite with %o', async (wrong, refusal) => {
    const { management, accountId, viewer } = await startTeam();
    const member = { accountId, wallet: viewer.wallet.address, role: 'owner' };
    expect(refusalOf(await management.addMember({ ...member, ...wrong }))).toBe(refusal);
    expect(accepted(await management.listMembers({ accountId }))).toHaveLength(3);
  });
});

describe('a wallet of several accounts', () => {
  test('is led to its own, although a stranger has invited it before it came', async () => {
    const service = await startManagement({ signUp: 'open' });
    const { management } = service;
    const [mallory, victim] = [newWallet(), newWallet()];
    const { accountId } = (await enter(service, mallory)).identity;
    accepted(await management.addMember({ accountId, wallet: victim.address, role: 'owner' }));
    const own = (await enter(service, victim)).identity;
    expect(own.accountId).not.toBe(accountId);
    expect((await enter(service, victim, accountId)).identity).toMatchObject({ accountId, role: 'owner' });
    expect((await enter(service, victim)).identity.accountId).toBe(own.accountId);
    expect(accepted(await management.listMemberships({ wallet: victim.address }))).toHaveLength(2);
  });

  test('goes from one to the other, with a new session that lasts no longer', async () => {
    const { service, management, accountId, viewer, clock } = await startTeam();
    const other = accepted(await management.inviteAccount({ wallet: viewer.wallet.address, name: 'Own' })).accountId;
    const list = accepted(await management.listMemberships({ wallet: viewer.wallet.address }));
    expect(list.map(({ name, role, joinedAt }) => [name, role, joinedAt])).toEqual([
      ['Team', 'viewer', startTime],
      ['Own', 'owner', undefined],
    ]);
    clock.advance(60);
    const go = { session: viewer.session, accountId: other };
    const answers = await Promise.all([management.switchAccount(go), management.switchAccount(go)]);
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
    const [next] = answers.filter(({ ok }) => ok).map(accepted);
    expect(next?.identity).toMatchObject({ accountId: other, role: 'owner', expiresAt: viewer.identity.expiresAt });
    expect((await management.authenticateSession({ session: viewer.session })).ok).toBe(false);
    const caller = accepted(await management.authenticateSession({ session: next?.session ?? '' }));
    expect(caller).toMatchObject({ accountId: other, scopes: ['read', 'manage', 'funds'] });
    expect((await enter(service, viewer.wallet, accountId)).identity.scopes).toEqual(['read']);
  });

  test('goes nowhere it is no member of, with no session of an authToken, nor where an account is suspended', async () => {
    const { management, accountId, viewer } = await startTeam();
    const elsewhere = await newAccount(management, 'Elsewhere');
    const go = (session: string, to: string) => management.switchAccount({ session, accountId: to });
    expect(refusalOf(await go(viewer.session, elsewhere))).toMatch('NOT_A_MEMBER');
    const { authToken } = accepted(await management.createAuthToken({ accountId: elsewhere, name: 'ci' }));
    const { session } = accepted(await management.signInWithAuthToken({ authToken }));
    expect(refusalOf(await go(session, accountId))).toMatch('NOT_A_MEMBER');
    accepted(await management.addMember({ accountId: elsewhere, wallet: viewer.wallet.address, role: 'owner' }));
    accepted(await management.suspendAccount({ accountId: elsewhere, suspended: true }));
    expect(refusalOf(await go(viewer.session, elsewhere))).toMatch('ACCOUNT_SUSPENDED');
    expect((await management.authenticateSession({ session: viewer.session })).ok).toBe(true);
    expect(accepted(await management.listMemberships({ wallet: viewer.wallet.address }))).toHaveLength(1);
  });
});
