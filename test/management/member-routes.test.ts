import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MemberItem } from '../../contract/access/member.ts';
import { type Role, roles } from '../../contract/access/role.ts';
import { signIn, signInBody } from '../support/interface/browser.ts';
import type { HttpAnswer } from '../support/interface/send-http.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';

const service = useService();
const newWallet = () => privateKeyToAccount(generatePrivateKey());

type Headers = Readonly<Record<string, string>>;
type Person = { readonly wallet: PrivateKeyAccount; readonly headers: Headers };

const call = (headers: Headers, method: string, path: string, json?: unknown) =>
  callManagement(service(), method, path, { headers, json });

/** Signs in as a browser does. */
async function enter(wallet: PrivateKeyAccount, accountId: string): Promise<Person> {
  return { wallet, headers: await signIn(service(), { ...(await signInBody(service(), wallet)), accountId }) };
}

/** An account with a second owner, a manager and a viewer next to the first; all are signed in. */
async function startTeam() {
  const { accountId, authToken } = await service().issueAccount();
  const wallets = { owner: newWallet(), manager: newWallet(), viewer: newWallet(), first: newWallet() };
  for (const [name, wallet] of Object.entries(wallets)) {
    const role = name === 'first' ? 'owner' : name;
    const invitation = { wallet: wallet.address, role, name: `the ${name}` };
    dataOf(await call({ authToken }, 'POST', '/members', invitation));
  }
  const people = {
    first: await enter(wallets.first, accountId),
    owner: await enter(wallets.owner, accountId),
    manager: await enter(wallets.manager, accountId),
    viewer: await enter(wallets.viewer, accountId),
  };
  const members = async () => dataOf(await call({ authToken }, 'GET', '/members')) as MemberItem[];
  return { ...people, accountId, authToken, members };
}

/** What a role is answered that may not. */
const refusals: Readonly<Record<Role, object | undefined>> = {
  owner: undefined,
  manager: { statusCode: 403, message: 'The scope funds is missing' },
  viewer: { statusCode: 403, message: 'The scope manage is missing' },
};
const isSignedIn = async ({ headers }: Person) => (await call(headers, 'GET', '/session')).status === 200;
const messageOf = ({ json }: HttpAnswer) => (json as { message?: unknown }).message;

describe.each(roles)('%s', (role) => {
  const refusal = refusals[role];
  /** Of the tests that change nothing of it. */
  let lasting: Awaited<ReturnType<typeof startTeam>>;
  beforeAll(async () => {
    lasting = await startTeam();
  });

  test('lists the members', async () => {
    const team = lasting;
    expect(dataOf(await call(team[role].headers, 'GET', '/members'))).toEqual(await team.members());
  });

  const attempts: readonly (readonly [string, string, (other: string, self: string) => string, object | undefined])[] =
    [
      ['invites a wallet', 'POST', () => '/members', { wallet: newWallet().address, role: 'viewer' }],
      ['makes another one a viewer', 'PUT', (other) => `/members/${other}`, { role: 'viewer' }],
      ['removes another one', 'DELETE', (other) => `/members/${other}`, undefined],
      ['renames another one', 'PUT', (other) => `/members/${other}/name`, { name: 'Someone' }],
      ['makes himself a manager', 'PUT', (_, self) => `/members/${self}`, { role: 'manager' }],
    ];
  test.each(attempts)(
    refusal === undefined ? '%s' : 'is refused who %s, and nothing changes',
    async (_, method, path, body) => {
      const team = refusal === undefined ? await startTeam() : lasting;
      const before = await team.members();
      const person = team[role];
      const answer = await call(person.headers, method, path(team.first.wallet.address, person.wallet.address), body);
      if (refusal === undefined) {
        dataOf(answer);
        expect(await team.members()).not.toEqual(before);
      } else {
        expect([answer.status, answer.json]).toEqual([403, refusal]);
        expect(await team.members()).toEqual(before);
      }
    },
  );

  test('takes another name than the invitation gave, and no blank or invisible one', async () => {
    const team = await startTeam();
    const { headers, wallet } = team[role];
    const path = `/members/${wallet.address}/name`;
    const nameNow = async () => (await team.members()).find((member) => member.wallet === wallet.address)?.name;
    expect(await nameNow()).toBe(`the ${role}`);
    expect(dataOf(await call(headers, 'PUT', path, { name: 'Ada' }))).toMatchObject({ name: 'Ada', role });
    expect(await nameNow()).toBe('Ada');
    for (const name of ['', ' ', 'a\u202eb', 'x'.repeat(101), 1]) {
      expect((await call(headers, 'PUT', path, { name })).status).toBe(400);
    }
    expect(await nameNow()).toBe('Ada');
  });

  test('leaves, and is out at once with all that he had there', async () => {
    const team = await startTeam();
    const person = team[role];
    const elsewhere = await enter(person.wallet, team.accountId);
    const answer = await call(person.headers, 'DELETE', '/session/account');
    expect([answer.status, answer.json]).toEqual([200, { statusCode: 200, message: 'Account left' }]);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^tollfree-session=; .*Max-Age=0/);
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(team.first)).toBe(true);
    expect((await team.members()).map(({ wallet }) => wallet)).not.toContain(person.wallet.address);
    const again = { ...(await signInBody(service(), person.wallet)), accountId: team.accountId };
    expect((await call(person.headers, 'POST', '/session', again)).status).toBe(403);
  });

  test('signs himself out everywhere, and no one who may more', async () => {
    const team = await startTeam();
    const person = team[role];
    const elsewhere = await enter(person.wallet, team.accountId);
    const others = (['viewer', 'manager', 'owner'] as const).filter((one) => one !== role);
    const answer = await call(person.headers, 'DELETE', '/sessions');
    expect(answer.status).toBe(200);
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(false);
    for (const other of others) {
      const mayEnd = role === 'owner' || (role === 'manager' && other === 'viewer');
      expect(await isSignedIn(team[other]), other).toBe(!mayEnd);
    }
  });

  test('goes to an account that has invited him, and to no other one', async () => {
    const team = await startTeam();
    const other = await service().issueAccount();
    const stranger = await service().issueAccount();
    const person = team[role];
    const invited = { wallet: person.wallet.address, role: 'viewer' };
    dataOf(await call({ authToken: other.authToken }, 'POST', '/members', invited));
    const refused = await call(person.headers, 'PUT', '/session/account', { accountId: stranger.accountId });
    expect([refused.status, messageOf(refused)]).toEqual([403, 'Wallet is not a member of this account']);
    const listed = dataOf(await call(person.headers, 'GET', '/session/accounts')) as { accountId: string }[];
    expect(new Set(listed.map(({ accountId }) => accountId))).toEqual(new Set([team.accountId, other.accountId]));
    expect(dataOf(await call(person.headers, 'PUT', '/session/account', { accountId: other.accountId }))).toMatchObject(
      {
        accountId: other.accountId,
        role: 'viewer',
        scopes: ['read'],
      },
    );
    expect(await isSignedIn(person)).toBe(false);
  });
});

test('who only looks signs out no one else who only looks', async () => {
  const team = await startTeam();
  const other = newWallet();
  dataOf(await call(team.first.headers, 'POST', '/members', { wallet: other.address, role: 'viewer' }));
  const fellow = await enter(other, team.accountId);
  expect((await call(team.viewer.headers, 'DELETE', '/sessions')).status).toBe(200);
  expect(await isSignedIn(fellow)).toBe(true);
  expect(await isSignedIn(team.viewer)).toBe(false);
});

test('the last owner who has signed in stays, whomever he has invited', async () => {
  const { accountId, authToken } = await service().issueAccount();
  const [ada, bob] = [newWallet(), newWallet()];
  for (const { address: wallet } of [ada, bob]) {
    dataOf(await call({ authToken }, 'POST', '/members', { wallet, role: 'owner' }));
  }
  const owner = await enter(ada, accountId);
  const refused = await call(owner.headers, 'DELETE', '/session/account');
  expect([refused.status, messageOf(refused)]).toEqual([400, 'Account must keep an owner who has signed in']);
  expect(refused.headers['set-cookie']).toBeUndefined();
  expect(await isSignedIn(owner)).toBe(true);
  await enter(bob, accountId);
  expect((await call(owner.headers, 'DELETE', '/session/account')).status).toBe(200);
});

test('what a member has given to a program neither ends his membership, nor renames him, nor ends, without manage, his sessions', async () => {
  const team = await startTeam();
  const { headers } = team.manager;
  const made = async (scopes: readonly string[]) => {
    const { authToken } = dataOf(await call(headers, 'POST', '/auth-token', { name: 'ci', scopes })) as {
      authToken: string;
    };
    return { authToken, session: await signIn(service(), { authToken }) };
  };
  const { authToken, session } = await made(['read', 'manage']);
  const reading = await made(['read']);
  const before = await team.members();
  for (const credentials of [{ authToken }, session]) {
    const left = await call(credentials, 'DELETE', '/session/account');
    expect([left.status, messageOf(left)]).toEqual([404, 'Session not found']);
    const removed = await call(credentials, 'DELETE', `/members/${team.manager.wallet.address}`);
    expect([removed.status, messageOf(removed)]).toEqual([403, 'The scope funds is missing']);
    const renamed = await call(credentials, 'PUT', `/members/${team.manager.wallet.address}/name`, {
      name: 'A program',
    });
    expect([renamed.status, messageOf(renamed)]).toEqual([403, 'The scope funds is missing']);
  }
  for (const credentials of [{ authToken: reading.authToken }, reading.session]) {
    const out = await call(credentials, 'DELETE', '/sessions');
    expect([out.status, messageOf(out)]).toEqual([403, 'The scope manage is missing']);
    expect(out.headers['set-cookie']).toBeUndefined();
  }
  expect(await team.members()).toEqual(before);
  expect(await isSignedIn(team.manager)).toBe(true);
});

test('the audit log of each account says that a session went from one to the other, and not where', async () => {
  const team = await startTeam();
  const other = await service().issueAccount();
  const { wallet, headers } = team.manager;
  dataOf(await call({ authToken: other.authToken }, 'POST', '/members', { wallet: wallet.address, role: 'viewer' }));
  dataOf(await call(headers, 'PUT', '/session/account', { accountId: other.accountId }));
  type Log = { readonly entries: readonly { readonly after: Record<string, object>; readonly wallet?: string }[] };
  const logOf = async (authToken: string) =>
    (dataOf(await call({ authToken }, 'GET', '/audit-log?operation=switchAccount')) as Log).entries;
  const [left, come] = [await logOf(team.authToken), await logOf(other.authToken)];
  expect(left).toMatchObject([{ author: 'session', wallet: wallet.address }]);
  expect(come).toMatchObject([{ author: 'session', wallet: wallet.address }]);
  expect(Object.values(left[0]?.after ?? {})).toEqual([{ account_id: team.accountId, ended: true }]);
  expect(Object.values(come[0]?.after ?? {})).toMatchObject([{ account_id: other.accountId }]);
  expect(JSON.stringify(left)).not.toContain(other.accountId);
  expect(JSON.stringify(come)).not.toContain(team.accountId);
});
