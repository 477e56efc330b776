import { counted } from '@tollfree/contract/counted';
import type { Transaction } from 'kysely';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei.ts';
import { countedColumns, countedRow } from '../accounts/follow-holds.ts';
import { noQuantity, type Quantity } from '../accounts/ledger-accounts.ts';
import { addLegChanges } from '../accounts/legs.ts';

/** Accounts with neighbouring numbers that are compared by one sum: 3,000,000 accounts have some 3,000 sums. */
const accountsOfGroup = 1_024;
/** Groups whose accounts are compared one by one, when their sums differ. */
const maxGroupsNamed = 20;
/** Rows in one read: they arrive in one turn of the event loop. */
const rowsAtOnce = 1_000;
/** How many accounts are named. */
const maxNamed = 20;

/**
 * The accounts of a snapshot that are not what archived holds left in them plus the legs of all stored holds, each with both. It
 * reads every account and every hold once, and again only where sums differ: of neighbouring accounts, each multiplied by a number
 * of its own, so that what one has too much does not make up for what another lacks.
 */
export async function checkAccounts(snapshot: Transaction<Database>): Promise<readonly string[]> {
  const groups = new Map<number, Group>();
  await eachAccount(snapshot, (account) => {
    const id = account.account_id;
    const group = groups.get(groupOf(id)) ?? { sum: 0n, isStored: new Uint8Array(accountsOfGroup) };
    group.isStored[id % accountsOfGroup] = 1;
    group.sum += inSum(id, fromHolds(account));
    groups.set(groupOf(id), group);
  });
  await eachLegSum(snapshot, (id, quantity) => {
    const group = groups.get(groupOf(id));
    // Holds may outlive their accounts, which are pruned.
    if (group?.isStored[id % accountsOfGroup] === 1) group.sum -= inSum(id, quantity);
  });
  const differing = [...groups].flatMap(([number, { sum }]) => (sum === 0n ? [] : [number]));
  if (differing.length === 0) return [];
  const named = await nameDiffering(snapshot, new Set(differing.slice(0, maxGroupsNamed)));
  const more = differing.length - maxGroupsNamed;
  return more > 0 ? [...named, `accounts of ${more} more groups of ${accountsOfGroup} differ from their holds`] : named;
}

/** What accounts with neighbouring numbers have, less what holds count in them; and which of the numbers exist. */
type Group = { sum: bigint; readonly isStored: Uint8Array };

/** What an account adds to the sum of its group. */
function inSum(accountId: number, { count, amount }: Quantity): bigint {
  return factorOf(accountId) * ((amount << 32n) + BigInt(count));
}

function groupOf(accountId: number): number {
  return Math.floor(accountId / accountsOfGroup);
}

/** A number of 64 bits that looks like chance: the odd constants are those of the SplitMix64 generator. */
function factorOf(accountId: number): bigint {
  let mixed = BigInt.asUintN(64, BigInt(accountId) * 0x9e3779b97f4a7c15n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
  return (mixed ^ (mixed >> 31n)) | 1n;
}

/** Compares the accounts of some groups one by one. */
async function nameDiffering(snapshot: Transaction<Database>, groups: ReadonlySet<number>): Promise<readonly string[]> {
  const inLegs = new Map<number, Quantity>();
  await eachLegSum(snapshot, (id, { count, amount }) => {
    if (!groups.has(groupOf(id))) return;
    const sum = inLegs.get(id) ?? noQuantity;
    inLegs.set(id, { count: sum.count + count, amount: sum.amount + amount });
  });
  const named: string[] = [];
  let more = 0;
  await eachAccount(snapshot, (account) => {
    if (!groups.has(groupOf(account.account_id))) return;
    const { count, amount } = fromHolds(account);
    const legs = inLegs.get(account.account_id) ?? noQuantity;
    if (count === legs.count && amount === legs.amount) return;
    if (named.length >= maxNamed) more += 1;
    else named.push(difference(account, legs));
  });
  const differ = more === 1 ? 'differs from its' : 'differ from their';
  return more > 0 ? [...named, `${counted(more, 'more account')} ${differ} holds`] : named;
}

function difference({ name, count, amount, base_count, base_amount }: AccountRow, legs: Quantity): string {
  const [ofHolds, sum] = [base_count + legs.count, fromWeiText(base_amount) + legs.amount];
  return `account ${name}: stored ${count} and ${fromWeiText(amount)}, its holds ${ofHolds} and ${sum}`;
}

type AccountRow = Awaited<ReturnType<typeof readAccounts>>[number];

function readAccounts(snapshot: Transaction<Database>, after: number) {
  return snapshot
    .selectFrom('ledger_accounts')
    .select(['account_id', 'name', 'count', 'amount', 'base_count', 'base_amount'])
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(rowsAtOnce)
    .execute();
}

/** What an account has of holds that are stored. */
function fromHolds({ count, amount, base_count, base_amount }: AccountRow): Quantity {
  return { count: count - base_count, amount: fromWeiText(amount) - fromWeiText(base_amount) };
}

async function eachAccount(snapshot: Transaction<Database>, visit: (account: AccountRow) => void): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows = await readAccounts(snapshot, after);
    await mapInTurns(rows, visit);
    after = rows.at(-1)?.account_id;
  }
}

/** What holds count in accounts, added up for some holds at a time: an account may come several times. */
async function eachLegSum(
  snapshot: Transaction<Database>,
  visit: (accountId: number, quantity: Quantity) => void,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows = await snapshot
      .selectFrom('holds')
      .select(['hold_id', ...countedColumns])
      .where('hold_id', '>', after)
      .orderBy('hold_id')
      .limit(rowsAtOnce)
      .execute();
    const sums = new Map<number, Quantity>();
    await mapInTurns(rows, (row) => addLegChanges(sums, { after: countedRow(row) }));
    await mapInTurns(sums, ([id, quantity]) => visit(id, quantity));
    after = rows.at(-1)?.hold_id;
  }
}
