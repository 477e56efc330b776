import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { Address } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SignUpMode } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

export type AccountRow = Selectable<Database['accounts']>;

/** Who stands before the door. `client` is the digest of the client's address, `now` in Unix seconds. */
export type Arrival = {
  readonly wallet: Address;
  readonly client: string;
  readonly now: number;
  readonly signUp: SignUpMode;
};

const closed = refuse({ reason: 'SIGN_UP_CLOSED', message: 'Wallet has no account here: ask the operator for one' });
const tooMany = refuse({ reason: 'TOO_MANY_SIGN_UPS', message: 'Too many new accounts today' });
const suspended = refuse({ reason: 'ACCOUNT_SUSPENDED', message: 'Account is suspended' });

/** The account of a wallet, or nothing where one is to be made for it. Changes nothing. */
export async function findAccountFor(
  trx: Transaction<Database>,
  arrival: Arrival,
): Promise<Result<AccountRow | undefined>> {
  const { wallet, signUp } = arrival;
  const row = await trx.selectFrom('accounts').selectAll().where('wallet', '=', wallet).executeTakeFirst();
  if (row === undefined) return signUp === 'open' ? mayMakeAccount(trx, arrival) : closed;
  if (row.suspended_at !== null) return suspended;
  return row.invited === 1 && signUp === 'closed' ? closed : accept(row);
}

/** Strangers make accounts: few from one address, few in a day, and not for ever. */
async function mayMakeAccount(trx: Transaction<Database>, { client, now }: Arrival): Promise<Result<undefined>> {
  const startOfDay = now - (now % signInLimits.secondsPerDay);
  const { all, today, ofClient } = await trx
    .selectFrom('accounts')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('created_at', '>=', startOfDay).as('today'),
      fn
        .countAll<number>()
        .filterWhere(eb.and([eb('created_at', '>=', startOfDay), eb('signed_up_by', '=', client)]))
        .as('ofClient'),
    ])
    .where('signed_up', '=', 1)
    .executeTakeFirstOrThrow();
  const { maxSignUps, maxSignUpsPerDay, maxSignUpsPerClient } = signInLimits;
  const isFull = all >= maxSignUps || today >= maxSignUpsPerDay || ofClient >= maxSignUpsPerClient;
  return isFull ? tooMany : accept(undefined);
}

/** Makes the account of a wallet that {@link findAccountFor} let in, or notes that its invitation was taken up. */
export async function openAccount(
  trx: Transaction<Database>,
  { wallet, client, now }: Arrival,
  account: AccountRow | undefined,
): Promise<AccountRow> {
  if (account === undefined) {
    const name = `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;
    return trx
      .insertInto('accounts')
      .values({ account_id: randomUUID(), name, created_at: now, wallet, signed_up: 1, signed_up_by: client })
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  if (account.invited === 1) {
    await trx.updateTable('accounts').set({ invited: 0 }).where('account_id', '=', account.account_id).execute();
  }
  return account;
}
