import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { Address } from 'viem';
import type { Role } from '../../domain/access/actor.ts';
import { parseNetwork } from '../../domain/api-key-rules.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SignUpMode } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';
import { joinAccount, putOwner } from '../membership.ts';

type AccountRow = Selectable<Database['accounts']>;

/** A wallet that signs in. `client` is the `clientDigest` of its address, `now` in Unix seconds. */
type Arrival = {
  readonly wallet: Address;
  /** For a contract wallet, which is a member on this chain only. */
  readonly chainId?: number;
  readonly client: string;
  readonly now: number;
  readonly signUp: SignUpMode;
  /** The requested account. */
  readonly accountId?: string | undefined;
};

const closed = refuse({ reason: 'SIGN_UP_CLOSED', message: 'Wallet has no account here. Ask the operator for one.' });
const tooMany = refuse({ reason: 'TOO_MANY_SIGN_UPS', message: 'Too many new accounts today' });
const notAMember = refuse({ reason: 'NOT_A_MEMBER', message: 'Wallet is not a member of this account' });
const suspended = refuse({ reason: 'ACCOUNT_SUSPENDED', message: 'Account is suspended' });

/** The account that a wallet signs in to, or undefined if one should be created for it. Changes nothing. */
export async function findAccountFor(
  trx: Transaction<Database>,
  arrival: Arrival,
): Promise<Result<AccountRow | undefined>> {
  const { wallet, signUp, accountId } = arrival;
  const accounts = await readAccounts(trx, arrival);
  if (accountId !== undefined) {
    const [chosen] = accounts;
    return chosen === undefined ? notAMember : mayEnter(chosen, arrival);
  }
  const own = accounts.find((account) => account.wallet === wallet);
  if (own !== undefined) return mayEnter(own, arrival);
  const open = accounts.filter(({ suspended_at }) => suspended_at === null);
  const joined = open.find(({ joined_at }) => joined_at !== null);
  if (joined !== undefined) return accept(joined);
  // An invitation does not decide the account of a new user, who might then act in a stranger's account.
  const made = signUp === 'open' ? await mayMakeAccount(trx, arrival) : closed;
  if (made.ok || accounts.length === 0) return made;
  const [invited] = open;
  return invited === undefined ? suspended : accept(invited);
}

/** The accounts that a wallet is a member of, or the requested one of them; the oldest membership first. */
function readAccounts(trx: Transaction<Database>, { wallet, chainId, accountId }: Arrival) {
  return trx
    .selectFrom('account_members')
    .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
    .selectAll('accounts')
    .select('joined_at')
    .where('account_members.wallet', '=', wallet)
    .where('account_members.chain_id', chainId === undefined ? 'is' : '=', chainId ?? null)
    .$if(accountId !== undefined, (query) => query.where('account_members.account_id', '=', accountId ?? ''))
    .orderBy('added_at')
    .orderBy('account_members.account_id')
    .execute();
}

function mayEnter(account: AccountRow, { wallet, signUp }: Arrival): Result<AccountRow> {
  if (account.suspended_at !== null) return suspended;
  const isInvitation = account.wallet === wallet && account.invited === 1;
  return isInvitation && signUp === 'closed' ? closed : accept(account);
}

/** Bounds account creation by sign-up: few from one address or site, few in a day, and in total. */
async function mayMakeAccount(trx: Transaction<Database>, { client, now }: Arrival): Promise<Result<undefined>> {
  const startOfDay = now - (now % signInLimits.secondsPerDay);
  const { all, today, ofSite, ofClient } = await trx
    .selectFrom('accounts')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('created_at', '>=', startOfDay).as('today'),
      fn
        .countAll<number>()
        .filterWhere(eb.and([eb('created_at', '>=', startOfDay), eb('signed_up_by', 'like', `${siteOf(client)}%`)]))
        .as('ofSite'),
      fn
        .countAll<number>()
        .filterWhere(eb.and([eb('created_at', '>=', startOfDay), eb('signed_up_by', '=', client)]))
        .as('ofClient'),
    ])
    .where('signed_up', '=', 1)
    .executeTakeFirstOrThrow();
  const { maxSignUps, maxSignUpsPerDay, maxSignUpsPerSite, maxSignUpsPerClient } = signInLimits;
  const isFull = all >= maxSignUps || today >= maxSignUpsPerDay;
  return isFull || ofSite >= maxSignUpsPerSite || ofClient >= maxSignUpsPerClient ? tooMany : accept(undefined);
}

/** Creates the account for a wallet that {@link findAccountFor} admitted, or records that its invitation was accepted. */
export async function openAccount(
  trx: Transaction<Database>,
  arrival: Arrival,
  account: AccountRow | undefined,
): Promise<AccountRow & { readonly role: Role }> {
  const { wallet, now } = arrival;
  const entered = account ?? (await makeAccount(trx, arrival));
  if (entered.invited === 1 && entered.wallet === wallet) {
    await trx.updateTable('accounts').set({ invited: 0 }).where('account_id', '=', entered.account_id).execute();
  }
  const role = await joinAccount(trx, { accountId: entered.account_id, wallet, now });
  return { ...entered, role };
}

/** Only a wallet with a private key can be an account's own. A contract wallet becomes an owner that has joined. */
async function makeAccount(trx: Transaction<Database>, { wallet, chainId, client, now }: Arrival): Promise<AccountRow> {
  const own = chainId === undefined ? wallet : null;
  const name = `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;
  const account = await trx
    .insertInto('accounts')
    .values({ account_id: randomUUID(), name, created_at: now, wallet: own, signed_up: 1, signed_up_by: client })
    .returningAll()
    .executeTakeFirstOrThrow();
  await putOwner(trx, { accountId: account.account_id, wallet, chainId, now });
  return account;
}

/** Half of the hex digits of a digest: 128 bits. */
const halfDigest = 32;
const ofSubnet = /\/64$/;

/**
 * The origin of a sign-up, in two halves: the digest of the site, then of the client's address. An IPv6 site is a /48, which
 * its holder can divide into 65,536 client networks (RFC 6177); an IPv4 site is the address.
 */
export function clientDigest(digest: (client: string) => string, client: string): string {
  const site = ofSubnet.test(client) ? (parseNetwork(client.replace(ofSubnet, '/48')) ?? client) : client;
  return digest(site).slice(0, halfDigest) + digest(client).slice(0, halfDigest);
}

/** The common prefix of all digests of a site. */
function siteOf(client: string): string {
  return client.slice(0, halfDigest);
}
