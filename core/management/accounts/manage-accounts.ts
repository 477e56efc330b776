import { randomUUID } from 'node:crypto';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable, Transaction } from 'kysely';
import { getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import { scopes as allScopes, type Scope } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { Account } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { endMembership, putOwner } from '../membership.ts';

const accountNotFound = refuse({ reason: 'ACCOUNT_NOT_FOUND', message: 'Account not found' });
const walletTaken = refuse({ reason: 'WALLET_TAKEN', message: 'Wallet already belongs to an account' });
const noWallet = invalidField('wallet', 'must be a valid address');

type AccountOperation = 'createAccount' | 'listAccounts' | 'inviteAccount' | 'linkWallet' | 'suspendAccount';

/** The account operations of `Core`. Account names need not be unique. */
export function manageAccounts(parts: { store: Store; clock: Clock }): Pick<Core, AccountOperation> {
  const { store, clock } = parts;
  return {
    async createAccount(input) {
      const name = checkName(input.name);
      if (!name.ok) return name;
      const account = { account_id: randomUUID(), name: name.value, created_at: unixSeconds(clock) };
      const row = await store.transaction((trx) =>
        trx.insertInto('accounts').values(account).returningAll().executeTakeFirstOrThrow(),
      );
      return accept(toAccount(row));
    },

    async listAccounts({ newest }) {
      const all = store.db.selectFrom('accounts').selectAll();
      const rows = await (newest === undefined
        ? all.orderBy('created_at').orderBy('account_id')
        : all.orderBy('created_at', 'desc').orderBy('account_id', 'desc').limit(newest)
      ).execute();
      return accept(rows.map(toAccount));
    },

    async inviteAccount(input) {
      const wallet = parseAddress(input.wallet);
      if (wallet === undefined) return noWallet;
      const name = checkName(input.name ?? wallet);
      if (!name.ok) return name;
      const values = { account_id: randomUUID(), name: name.value, created_at: unixSeconds(clock), wallet };
      return store.transaction(async (trx) => {
        if (await findByWallet(trx, wallet)) return walletTaken;
        const account = { ...values, invited: 1 } as const;
        const row = await trx.insertInto('accounts').values(account).returningAll().executeTakeFirstOrThrow();
        await putOwner(trx, { accountId: row.account_id, wallet, now: row.created_at });
        return accept(toAccount(row));
      });
    },

    async linkWallet({ accountId, wallet: given }) {
      const wallet = parseAddress(given);
      if (wallet === undefined) return noWallet;
      return store.transaction(async (trx) => {
        const holder = await findByWallet(trx, wallet);
        if (holder !== undefined && holder !== accountId) return walletTaken;
        const former = await findWallet(trx, accountId);
        const row = await trx
          .updateTable('accounts')
          .set({ wallet, invited: 0 })
          .where('account_id', '=', accountId)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return accountNotFound;
        const now = unixSeconds(clock);
        if (former !== undefined && former !== wallet) await endMembership(trx, { accountId, wallet: former, now });
        await putOwner(trx, { accountId, wallet, now });
        return accept(toAccount(row));
      });
    },

    async suspendAccount({ accountId, suspended }) {
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const row = await trx
          .updateTable('accounts')
          // Suspending again keeps the time of the first.
          .set(({ fn, val }) => ({ suspended_at: suspended ? fn.coalesce('suspended_at', val(now)) : null }))
          .where('account_id', '=', accountId)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return accountNotFound;
        if (suspended) await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
        return accept(toAccount(row));
      });
    },
  };
}

/** The account whose own wallet this is. */
async function findByWallet(trx: Transaction<Database>, wallet: string): Promise<string | undefined> {
  const row = await trx.selectFrom('accounts').select('account_id').where('wallet', '=', wallet).executeTakeFirst();
  return row?.account_id;
}

/** The own wallet of an account. */
async function findWallet(trx: Transaction<Database>, accountId: string): Promise<string | undefined> {
  const row = await trx.selectFrom('accounts').select('wallet').where('account_id', '=', accountId).executeTakeFirst();
  return row?.wallet ?? undefined;
}

/** An account, as shown to the operator. */
function toAccount(row: Selectable<Database['accounts']>): Account {
  const { wallet, invited, suspended_at: suspendedAt } = row;
  return {
    accountId: row.account_id,
    name: row.name,
    createdAt: row.created_at,
    ...omitAbsent({
      wallet: wallet === null ? undefined : getAddress(wallet),
      invited: invited === 1 ? (true as const) : undefined,
      suspendedAt: suspendedAt ?? undefined,
    }),
  };
}

type Marked = Pick<
  Core,
  'authenticate' | 'authenticateSession' | 'readSession' | 'signInWithWallet' | 'signInWithAuthToken' | 'switchAccount'
>;

type Known = { readonly accountId: string; readonly scopes?: readonly Scope[]; readonly operator?: true };

/**
 * Operations on accounts with answers that say whether the caller operates the service: it has all scopes of one of these
 * accounts. Viewers and managers of such an account do not, nor does an authToken with fewer scopes.
 */
export function markOperators<Parts extends Marked>(parts: Parts, operators: readonly string[] = []): Parts {
  function mark<T extends Known>(known: T): T {
    const { accountId, scopes = [] } = known;
    const isOperator = operators.includes(accountId) && allScopes.every((scope) => scopes.includes(scope));
    return isOperator ? { ...known, operator: true } : known;
  }
  const markValue = <T extends Known>(result: Result<T>): Result<T> =>
    result.ok ? { ok: true, value: mark(result.value) } : result;
  const markSession = <T extends { readonly identity: Known }>(result: Result<T>): Result<T> =>
    result.ok ? { ok: true, value: { ...result.value, identity: mark(result.value.identity) } } : result;

  return {
    ...parts,
    authenticate: async (input) => markValue(await parts.authenticate(input)),
    authenticateSession: async (input) => markValue(await parts.authenticateSession(input)),
    readSession: async (input) => markValue(await parts.readSession(input)),
    signInWithWallet: async (input) => markSession(await parts.signInWithWallet(input)),
    signInWithAuthToken: async (input) => markSession(await parts.signInWithAuthToken(input)),
    switchAccount: async (input) => markSession(await parts.switchAccount(input)),
  } satisfies Marked & Parts;
}
