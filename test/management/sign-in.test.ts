import { omitAbsent } from '@tollfree/contract/omit-absent';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { signInLimits } from '../../core/management/accounts/sign-in-limits.ts';
import { pruneSignIn } from '../../core/management/sign-in/prune-sign-in.ts';
import { signInAs } from '../support/core/sign-in-as.ts';
import {
  accepted,
  newAccount,
  refusalOf,
  startManagement,
  startTime,
  type TestManagement,
} from '../support/core/start-management.ts';

const hour = 3_600;
const day = 24 * hour;
const newWallet = () => privateKeyToAccount(generatePrivateKey());

/** Signs in with a wallet, from a client's address. */
function signIn(
  { management }: TestManagement,
  wallet: PrivateKeyAccount,
  client?: string,
  write?: (message: string) => string,
) {
  return signInAs(management, wallet, omitAbsent({ client, write }));
}

async function isAccepted({ management }: TestManagement, session: string): Promise<boolean> {
  return (await management.authenticateSession({ session })).ok;
}

/** Accounts that strangers have made now. */
async function insertSignUps({ store, clock }: TestManagement, count: number): Promise<void> {
  const created_at = Math.floor(clock.now() / 1_000);
  const rows = Array.from({ length: count }, (_, index) => ({
    account_id: `${index}`.padStart(36, '0'),
    name: 'stranger',
    created_at,
    signed_up: 1 as const,
    signed_up_by: 'f'.repeat(64),
  }));
  for (let from = 0; from < count; from += 1_000) {
    await store.db
      .insertInto('accounts')
      .values(rows.slice(from, from + 1_000))
      .execute();
  }
}

const tooMany = 'TOO_MANY_SIGN_UPS: Too many new accounts today';

describe('strangers who sign up', () => {
  test('make five accounts a day from one address; others, and owners of accounts, are let in meanwhile', async () => {
    const service = await startManagement({ signUp: 'open' });
    const [first, ...others] = Array.from({ length: signInLimits.maxSignUpsPerClient }, newWallet);
    if (first === undefined) throw new Error('there is no wallet');
    for (const wallet of [first, ...others]) accepted(await signIn(service, wallet));
    expect(refusalOf(await signIn(service, newWallet()))).toBe(tooMany);
    expect((await signIn(service, first)).ok).toBe(true);
    expect((await signIn(service, newWallet(), '203.0.113.8')).ok).toBe(true);
    service.clock.advance(day);
    expect((await signIn(service, newWallet())).ok).toBe(true);
  });

  test('with many IPv6 addresses in one site make a tenth of the accounts of a day, and leave the others to other sites', async () => {
    const service = await startManagement({ signUp: 'open' });
    let made = 0;
    for (let subnet = 0; subnet < signInLimits.maxSignUpsPerDay / 10 + 10; subnet += 1) {
      const { ok } = await signIn(service, newWallet(), `2001:db8:1:${subnet.toString(16)}::/64`);
      if (ok) made += 1;
    }
    expect(made).toBe(signInLimits.maxSignUpsPerDay / 10);
    expect((await signIn(service, newWallet(), '2001:db8:2::/64')).ok).toBe(true);
    expect((await signIn(service, newWallet())).ok).toBe(true);
  });

  test.each([
    ['in a day', signInLimits.maxSignUpsPerDay, true],
    ['in all', signInLimits.maxSignUps, false],
  ])('are too many %s at %i, and what is refused is stored nowhere', async (_, count, comesBack) => {
    const service = await startManagement({ signUp: 'open' });
    await insertSignUps(service, count);
    expect(refusalOf(await signIn(service, newWallet()))).toBe(tooMany);
    expect(await service.store.db.selectFrom('used_nonces').selectAll().execute()).toEqual([]);
    expect(accepted(await service.management.listAccounts({}))).toHaveLength(count);
    service.clock.advance(day);
    expect((await signIn(service, newWallet())).ok).toBe(comesBack);
  });

  test('are let in by invitation alone where the operator says so, and it is taken up once', async () => {
    const service = await startManagement({ signUp: 'invited' });
    const wallet = newWallet();
    const invited = accepted(await service.management.inviteAccount({ wallet: wallet.address, name: 'Ada' }));
    expect(invited).toMatchObject({ name: 'Ada', wallet: wallet.address, invited: true });
    expect(refusalOf(await signIn(service, newWallet()))).toMatch('SIGN_UP_CLOSED');
    expect(accepted(await signIn(service, wallet)).identity).toMatchObject({
      accountId: invited.accountId,
      signUp: 'invited',
    });
    const { invited: _, ...taken } = invited;
    expect(accepted(await service.management.listAccounts({}))).toEqual([taken]);
  });

  test('are let in nowhere unless the operator says so', async () => {
    const service = await startManagement();
    expect(refusalOf(await signIn(service, newWallet()))).toMatch('SIGN_UP_CLOSED');
  });
});

test.each(['2027-01-15T08:00:00Z', '2027-01-15T09:30:00.000000+01:30'])(
  'a message may write its time in another form of RFC 3339: %s',
  async (time) => {
    const service = await startManagement({ signUp: 'open' });
    const write = (message: string) => message.replace(/^Issued At: .*$/m, `Issued At: ${time}`);
    expect((await signIn(service, newWallet(), '203.0.113.7', write)).ok).toBe(true);
  },
);

describe('a session', () => {
  test('ends seven days after it began, however much it is used', async () => {
    const service = await startManagement({ signUp: 'open' });
    const { session, identity } = accepted(await signIn(service, newWallet()));
    expect(identity.expiresAt).toBe(startTime + 7 * day);
    for (let passed = 11 * hour; passed < 7 * day; passed += 11 * hour) {
      service.clock.advance(11 * hour);
      expect(await isAccepted(service, session), `after ${passed / hour} hours`).toBe(true);
      await service.writeUses();
    }
    service.clock.advance(startTime + 7 * day - service.clock.now() / 1_000);
    expect(await isAccepted(service, session)).toBe(false);
  });

  test('ends twelve hours after its last use', async () => {
    const service = await startManagement({ signUp: 'open' });
    const { session } = accepted(await signIn(service, newWallet()));
    service.clock.advance(12 * hour - 1);
    expect(await isAccepted(service, session)).toBe(true);
    service.clock.advance(1);
    expect(await isAccepted(service, session)).toBe(false);
  });

  test('ends with its authToken', async () => {
    const service = await startManagement();
    const { management, clock } = service;
    const accountId = await newAccount(management);
    const issued = { accountId, name: 'short', expiresAt: startTime + hour };
    const { authToken } = accepted(await management.createAuthToken(issued));
    const { session, identity } = accepted(await management.signInWithAuthToken({ authToken }));
    expect(identity.expiresAt).toBe(startTime + hour);
    clock.advance(hour);
    expect(await isAccepted(service, session)).toBe(false);
  });

  test('is the oldest of too many and ends, those of other accounts do not', async () => {
    const service = await startManagement({ signUp: 'open' });
    const [wallet, other] = [newWallet(), newWallet()];
    const untouched = accepted(await signIn(service, other)).session;
    const sessions: string[] = [];
    for (let begun = 0; begun <= signInLimits.maxSessions; begun += 1) {
      service.clock.advance(1);
      sessions.push(accepted(await signIn(service, wallet)).session);
    }
    const alive = await Promise.all(sessions.map((session) => isAccepted(service, session)));
    expect(alive).toEqual([false, ...Array.from({ length: signInLimits.maxSessions }, () => true)]);
    expect(await isAccepted(service, untouched)).toBe(true);
  });

  test('is no longer listed once it has ended', async () => {
    const service = await startManagement({ signUp: 'open' });
    const { management, clock } = service;
    const { identity } = accepted(await signIn(service, newWallet()));
    const { accountId } = identity;
    expect(accepted(await management.listSessions({ accountId }))).toHaveLength(1);
    clock.advance(12 * hour);
    expect(accepted(await management.listSessions({ accountId }))).toEqual([]);
  });

  test('of a wallet ends when another one takes its place, one of an authToken goes on', async () => {
    const service = await startManagement();
    const { management } = service;
    const accountId = await newAccount(management);
    const [former, next] = [newWallet(), newWallet()];
    accepted(await management.linkWallet({ accountId, wallet: former.address }));
    const ofWallet = accepted(await signIn(service, former)).session;
    const { authToken } = accepted(await management.createAuthToken({ accountId, name: 'ci' }));
    const ofToken = accepted(await management.signInWithAuthToken({ authToken })).session;
    accepted(await management.linkWallet({ accountId, wallet: former.address }));
    expect(await isAccepted(service, ofWallet)).toBe(true);
    accepted(await management.linkWallet({ accountId, wallet: next.address }));
    expect([await isAccepted(service, ofWallet), await isAccepted(service, ofToken)]).toEqual([false, true]);
    expect(refusalOf(await signIn(service, former))).toMatch('SIGN_UP_CLOSED');
  });

  test('is stored without its secret, the message, the signature or the client’s address', async () => {
    const service = await startManagement({ signUp: 'open' });
    const { session } = accepted(await signIn(service, newWallet(), '203.0.113.99'));
    const { db } = service.store;
    const stored = JSON.stringify([
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('accounts').selectAll().execute(),
      await db.selectFrom('used_nonces').selectAll().execute(),
    ]);
    for (const secret of [session, session.slice(4), '203.0.113.99', 'wants you to sign in']) {
      expect(stored).not.toContain(secret);
    }
  });
});

test('what has ended is pruned, with who signed up yesterday; what has not stays', async () => {
  const service = await startManagement({ signUp: 'open' });
  const { store, clock } = service;
  const wallet = newWallet();
  accepted(await signIn(service, wallet));
  clock.advance(day);
  const { session } = accepted(await signIn(service, wallet));
  expect(await pruneSignIn(store, startTime + day)).toBe(true);
  expect(await store.db.selectFrom('sessions').select('created_at').execute()).toEqual([
    { created_at: startTime + day },
  ]);
  expect(await store.db.selectFrom('used_nonces').select('expires_at').execute()).toEqual([
    { expires_at: startTime + day + signInLimits.nonceLifetime },
  ]);
  expect(await store.db.selectFrom('accounts').select('signed_up_by').execute()).toEqual([{ signed_up_by: null }]);
  expect(await isAccepted(service, session)).toBe(true);
});

describe('authTokens', () => {
  test('tell when they were last used, to the minute', async () => {
    const { management, clock, writeUses } = await startManagement();
    const accountId = await newAccount(management);
    const { authToken } = accepted(await management.createAuthToken({ accountId, name: 'ci' }));
    const lastUse = async () => {
      await writeUses();
      return accepted(await management.listAuthTokens({ accountId }))[0]?.lastUsedAt;
    };
    expect(await lastUse()).toBeUndefined();
    clock.advance(90);
    await management.authenticate({ authToken });
    const minute = startTime + 90 - ((startTime + 90) % 60);
    expect(await lastUse()).toBe(minute);
    clock.advance(1);
    await management.authenticate({ authToken });
    expect(await lastUse()).toBe(minute);
    clock.advance(60);
    await management.authenticate({ authToken });
    expect(await lastUse()).toBe(minute + 60);
  });

  test('are at most fifty of an account; one that is revoked makes room', async () => {
    const { management } = await startManagement();
    const accountId = await newAccount(management);
    const issue = () => management.createAuthToken({ accountId, name: 'ci' });
    for (let issued = 0; issued < 50; issued += 1) accepted(await issue());
    expect(refusalOf(await issue())).toBe('TOO_MANY_AUTH_TOKENS: An account can have at most 50 auth tokens');
    const [{ authTokenId = '' } = {}] = accepted(await management.listAuthTokens({ accountId }));
    accepted(await management.revokeAuthToken({ accountId, authTokenId }));
    expect((await issue()).ok).toBe(true);
    expect((await management.createAuthToken({ accountId: await newAccount(management), name: 'ci' })).ok).toBe(true);
  });

  test('that have ended are forgotten in the end, oldest first', async () => {
    const { management, clock } = await startManagement();
    const accountId = await newAccount(management);
    for (let made = 0; made < 60; made += 1) {
      clock.advance(1);
      const { record } = accepted(await management.createAuthToken({ accountId, name: `${made}` }));
      accepted(await management.revokeAuthToken({ accountId, authTokenId: record.authTokenId }));
    }
    clock.advance(1);
    accepted(await management.createAuthToken({ accountId, name: 'in use' }));
    const names = accepted(await management.listAuthTokens({ accountId })).map(({ name }) => name);
    expect(names).toEqual([...Array.from({ length: 50 }, (_, index) => `${index + 10}`), 'in use']);
  });

  test('that ended at the same time are forgotten at the same time', async () => {
    const { management, clock } = await startManagement();
    const accountId = await newAccount(management);
    const issue = async (name: string, expiresAt?: number) =>
      accepted(await management.createAuthToken({ accountId, name, ...(expiresAt && { expiresAt }) }));
    for (const expiresAt of [startTime + 1, startTime + 2]) {
      for (let made = 0; made < 50; made += 1) await issue(`until ${expiresAt}`, expiresAt);
      clock.advance(1);
    }
    await issue('in use');
    const names = accepted(await management.listAuthTokens({ accountId })).map(({ name }) => name);
    expect(names).toEqual([...Array.from({ length: 50 }, () => `until ${startTime + 2}`), 'in use']);
  });
});
