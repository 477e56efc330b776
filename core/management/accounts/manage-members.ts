import { maxMembers } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable, Transaction } from 'kysely';
import { type Address, getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import { currentActor, parseRole, type Role, refuseMissingScope, roles, scopes } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { Member } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { endMembership, isOfWallet } from '../membership.ts';
import { readCurrentRights } from './current-rights.ts';

type MemberRow = Selectable<Database['account_members']>;

const accountNotFound = refuse({ reason: 'ACCOUNT_NOT_FOUND', message: 'Account not found' });
const memberNotFound = refuse({ reason: 'MEMBER_NOT_FOUND', message: 'Member not found' });
const memberExists = refuse({ reason: 'MEMBER_EXISTS', message: 'Wallet is already a member of the account' });
const lastOwner = refuse({ reason: 'LAST_OWNER', message: 'Account must keep an owner who has signed in' });
const tooMany = refuse({
  reason: 'TOO_MANY_MEMBERS',
  message: `An account can have at most ${maxMembers} members`,
});
const noWallet = invalidField('wallet', 'must be a valid address');

const noChain = invalidField('chainId', 'must be a chain id');

type MemberOperation = 'listMembers' | 'addMember' | 'changeMember' | 'renameMember' | 'removeMember';

export function manageMembers({ store, clock }: { store: Store; clock: Clock }): Pick<Core, MemberOperation> {
  return {
    renameMember: renameMember({ store, clock }),

    async listMembers({ accountId }) {
      const rows = await store.db
        .selectFrom('account_members')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('added_at')
        .orderBy('wallet')
        .execute();
      return accept(roles.flatMap((role) => rows.filter((row) => row.role === role)).map(toMember));
    },

    async addMember({ accountId, chainId = null, name = null, ...given }) {
      const read = readMember(given);
      if (!read.ok) return read;
      const named = name === null ? undefined : checkName(name);
      if (named?.ok === false) return named;
      const { wallet, role } = read.value;
      if (chainId !== null && !(Number.isSafeInteger(chainId) && chainId > 0)) return noChain;
      return store.transaction(async (trx) => {
        if (!(await accountExists(trx, accountId))) return accountNotFound;
        const members = await membersOf(trx, accountId);
        if (members.some((member) => member.wallet === wallet)) return memberExists;
        if (members.length >= maxMembers) return tooMany;
        const added = { role, added_at: unixSeconds(clock), joined_at: null };
        const row = { account_id: accountId, wallet, name, chain_id: chainId, ...added };
        await trx.insertInto('account_members').values(row).execute();
        return accept(toMember(row));
      });
    },

    async changeMember({ accountId, ...given }) {
      const read = readMember(given);
      if (!read.ok) return read;
      const { wallet, role } = read.value;
      return store.transaction(async (trx) => {
        const members = await membersOf(trx, accountId);
        const member = members.find((one) => one.wallet === wallet);
        if (member === undefined) return memberNotFound;
        if (role !== 'owner' && isLastOwner(members, member)) return lastOwner;
        await trx
          .updateTable('account_members')
          .set({ role })
          .where('account_id', '=', accountId)
          .where('wallet', '=', wallet)
          .execute();
        return accept(toMember({ ...member, role }));
      });
    },

    async removeMember({ accountId, wallet: given }) {
      const wallet = parseAddress(given);
      if (wallet === undefined) return noWallet;
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const missing = await refuseUnlessSelf(trx, wallet, now);
        if (missing !== undefined) return missing;
        const members = await membersOf(trx, accountId);
        const member = members.find((one) => one.wallet === wallet);
        if (member === undefined) return memberNotFound;
        if (isLastOwner(members, member)) return lastOwner;
        await endMembership(trx, { accountId, wallet, now });
        return accept(toMember(member));
      });
    },
  };
}

function renameMember({ store, clock }: { store: Store; clock: Clock }): Core['renameMember'] {
  return async ({ accountId, wallet: given, name }) => {
    const wallet = parseAddress(given);
    if (wallet === undefined) return noWallet;
    const named = checkName(name);
    if (!named.ok) return named;
    const now = unixSeconds(clock);
    return store.transaction(async (trx) => {
      const missing = await refuseUnlessSelf(trx, wallet, now);
      if (missing !== undefined) return missing;
      const row = await trx
        .updateTable('account_members')
        .set({ name })
        .where('account_id', '=', accountId)
        .where('wallet', '=', wallet)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? memberNotFound : accept(toMember(row));
    });
  };
}

/** Managing members requires all scopes, but every member may rename and remove themselves. */
async function refuseUnlessSelf(trx: Transaction<Database>, wallet: Address, now: number) {
  const actor = currentActor();
  const currentRights = await readCurrentRights(trx, actor, now);
  const isHimself = isOfWallet(actor, currentRights?.member) && isOfWallet(actor, wallet);
  return isHimself ? undefined : refuseMissingScope(scopes, currentRights?.scopes ?? []);
}

function readMember(given: {
  readonly wallet: string;
  readonly role: string;
}): Result<{ wallet: Address; role: Role }> {
  const wallet = parseAddress(given.wallet);
  if (wallet === undefined) return noWallet;
  const role = parseRole(given.role);
  return role === undefined ? invalidField('role', `must be one of ${roles.join(', ')}`) : accept({ wallet, role });
}

/**
 * Whether this member is the last one who could act for the account. An invited owner who has not signed in could not: the
 * address may be wrong, and the invitation can be taken back.
 */
function isLastOwner(members: readonly MemberRow[], member: MemberRow): boolean {
  if (member.role !== 'owner' || member.joined_at === null) return false;
  const others = members.filter(({ role, wallet }) => role === 'owner' && wallet !== member.wallet);
  return others.every(({ joined_at }) => joined_at === null);
}

function membersOf(trx: Transaction<Database>, accountId: string): Promise<MemberRow[]> {
  return trx.selectFrom('account_members').selectAll().where('account_id', '=', accountId).execute();
}

async function accountExists(trx: Transaction<Database>, accountId: string): Promise<boolean> {
  const query = trx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId);
  return (await query.executeTakeFirst()) !== undefined;
}

function toMember({ wallet, name, chain_id, role, added_at: addedAt, joined_at }: MemberRow): Member {
  const rest = omitAbsent({
    name: name ?? undefined,
    chainId: chain_id ?? undefined,
    joinedAt: joined_at ?? undefined,
  });
  return { wallet: getAddress(wallet), role, addedAt, ...rest };
}
