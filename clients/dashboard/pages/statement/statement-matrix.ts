import type { PaymasterStatementItem, TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { counted } from '../../parts/text/counted.ts';

/** What a payer has in one row: wei and millionths of a USD, below 0 for what is taken out; absent where unknown. */
export type Amount = {
  readonly wei?: bigint;
  readonly usdMicros?: bigint;
  /** Entries without a price, which the USD leaves out. */
  readonly unpriced?: number;
  readonly note?: string;
};

/** One way that gas was paid in a month: a tank, or another paymaster. */
export type Column = { readonly key: string; readonly title: string };

export type Row = {
  readonly title: string;
  readonly kind: 'balance' | 'entry' | 'part';
  /** By the keys of the columns. */
  readonly amounts: Readonly<Record<string, Amount>>;
};

/** A paymaster's month: a row for each entry, a column for each payer, and one for all of them if there are several. */
export type Matrix = { readonly columns: readonly Column[]; readonly rows: readonly Row[]; readonly addsUp: boolean };

/** What a statement of one paymaster, and its part in that of the account, say of a month. */
export type Stated = Pick<PaymasterStatementItem, 'tanks' | 'vendor'>;

const together: Column = { key: 'together', title: 'Together' };
const other: Column = { key: 'other', title: 'Other paymaster' };

type Head = 'deposited' | 'spent' | 'usersPaid' | 'premium' | 'withdrawn' | 'credited' | 'debited';

const heads: readonly {
  readonly head: Head;
  readonly title: string;
  readonly sign: 1n | -1n;
  readonly isPart?: true;
}[] = [
  { head: 'deposited', title: 'Deposited', sign: 1n },
  { head: 'spent', title: 'Operations', sign: -1n },
  { head: 'usersPaid', title: 'of it paid by users in', sign: 1n, isPart: true },
  { head: 'premium', title: 'of it the contract’s premium', sign: 1n, isPart: true },
  { head: 'withdrawn', title: 'Withdrawn', sign: -1n },
  { head: 'credited', title: 'Credited by the operator', sign: 1n },
  { head: 'debited', title: 'Debited by the operator', sign: -1n },
];

/** What a statement's rows are named with: its ends, such as `Balance on November 1`, and the tokens that users paid in. */
export type RowNames = { readonly first: string; readonly last: string; readonly tokens: string };

/** A statement as rows and columns. */
export function matrixOf(statement: Stated, names: RowNames): Matrix {
  const { tanks, vendor } = statement;
  const ofTanks = tanks.map((tank, index) => ({ column: columnOf(tank, tanks, index), tank }));
  const payers = [...ofTanks.map(({ column }) => column), ...(vendor === undefined ? [] : [other])];
  const columns = payers.length > 1 ? [...payers, together] : payers;
  const balance = (title: string, head: 'opening' | 'closing'): Row => ({
    title,
    kind: 'balance',
    amounts: sumUp(Object.fromEntries(ofTanks.map(({ column, tank }) => [column.key, { wei: BigInt(tank[head]) }]))),
  });
  const entries = heads.map(({ head, title, sign, isPart }): Row => {
    const amounts = ofTanks.map(({ column, tank }): [string, Amount] => {
      const { wei, usd, unpriced } = tank[head];
      const amount = { wei: sign * BigInt(wei), usdMicros: sign * microsOf(usd), unpriced };
      return [column.key, head === 'spent' ? { ...amount, note: counted(tank.operations, 'operation') } : amount];
    });
    const ofOther: [string, Amount][] =
      vendor === undefined || head !== 'spent' ? [] : [[other.key, paidByOther(vendor)]];
    const named = head === 'usersPaid' ? `${title} ${names.tokens}` : title;
    return {
      title: named,
      kind: isPart ? 'part' : 'entry',
      amounts: sumUp(Object.fromEntries([...amounts, ...ofOther])),
    };
  });
  const rows = [balance(names.first, 'opening'), ...entries.filter(isNeeded), balance(names.last, 'closing')];
  return { columns, rows, addsUp: tanks.every(doesAddUp) };
}

/** The present tank is named after its payer alone, one of an earlier funding wallet after that wallet as well. */
function columnOf(
  { payer, fundingWallet }: TankStatementItem,
  all: readonly TankStatementItem[],
  index: number,
): Column {
  const name = payer === 'RELAY' ? 'Relay tank' : 'Contract tank';
  const isPresent = all.findIndex((tank) => tank.payer === payer) === index;
  return {
    key: `${payer} ${fundingWallet}`,
    title: isPresent ? name : `${name} of ${fundingWallet.slice(0, 6)}…${fundingWallet.slice(-4)}`,
  };
}

/** Whether the entries of a tank explain the difference of its balances, to the wei. */
function doesAddUp(tank: TankStatementItem): boolean {
  const { opening, closing, deposited, withdrawn, credited, debited, spent } = tank;
  const added = BigInt(deposited.wei) + BigInt(credited.wei);
  const taken = BigInt(withdrawn.wei) + BigInt(debited.wei) + BigInt(spent.wei);
  return BigInt(opening) + added - taken === BigInt(closing);
}

function paidByOther({ operations, worstCaseUsd }: NonNullable<Stated['vendor']>): Amount {
  return { usdMicros: -microsOf(worstCaseUsd), note: `${counted(operations, 'operation')}, at most` };
}

/** The last block that is in the ledgers of all tanks; undefined if one has none yet. */
export function blockOf({ tanks }: Pick<Stated, 'tanks'>): number | undefined {
  const lowest = Math.min(...tanks.map(({ atBlock }) => atBlock));
  return lowest > 0 && Number.isFinite(lowest) ? lowest : undefined;
}

/** An entry is shown where a payer has one; the operations always are. */
function isNeeded({ title, amounts }: Row): boolean {
  return title === 'Operations' || Object.values(amounts).some(({ wei = 0n }) => wei !== 0n);
}

/** The amounts of all payers with their sum. The sum has a coin only if each payer has. */
function sumUp(amounts: Readonly<Record<string, Amount>>): Readonly<Record<string, Amount>> {
  const all = Object.values(amounts);
  const wei = all.every((one) => one.wei !== undefined)
    ? all.reduce((sum, one) => sum + (one.wei ?? 0n), 0n)
    : undefined;
  const hasUsd = all.every((one) => one.usdMicros !== undefined);
  const usdMicros = hasUsd ? all.reduce((sum, one) => sum + (one.usdMicros ?? 0n), 0n) : undefined;
  const unpriced = all.reduce((sum, one) => sum + (one.unpriced ?? 0), 0);
  return {
    ...amounts,
    [together.key]: {
      ...(wei === undefined ? {} : { wei }),
      ...(usdMicros === undefined ? {} : { usdMicros }),
      ...(unpriced === 0 ? {} : { unpriced }),
    },
  };
}

/** What the account holder paid in a month, and what users paid, in millionths of a USD. */
export function paidOf({ tanks, vendor }: Stated) {
  const sum = (of: (tank: TankStatementItem) => string) => tanks.reduce((all, tank) => all + microsOf(of(tank)), 0n);
  const users = sum(({ usersPaid }) => usersPaid.usd);
  const tanksPaid = sum(({ spent }) => spent.usd);
  const other = vendor === undefined ? 0n : microsOf(vendor.worstCaseUsd);
  return {
    you: tanksPaid - users + other,
    users,
    unpriced: tanks.reduce((all, { spent }) => all + spent.unpriced, 0),
    operations: tanks.reduce((all, { operations }) => all + operations, vendor?.operations ?? 0),
  };
}

/** A part of what a month cost: what you paid from a tank or to another paymaster, or what users paid. */
export type Part = { readonly key: string; readonly title: string; readonly usdMicros: bigint; readonly by: PartBy };
export type PartBy = 'contract' | 'relay' | 'other' | 'users';

/** The parts of what a month cost, in millionths of a USD. Parts of 0 are left out. `tokens` are those that users paid in. */
export function partsOf({ tanks, vendor }: Stated, tokens: string): readonly Part[] {
  const ofTanks = tanks.map((tank, index): Part => {
    const usdMicros = microsOf(tank.spent.usd) - microsOf(tank.usersPaid.usd);
    return { ...columnOf(tank, tanks, index), usdMicros, by: tank.payer === 'RELAY' ? 'relay' : 'contract' };
  });
  const ofOther: readonly Part[] =
    vendor === undefined ? [] : [{ ...other, usdMicros: microsOf(vendor.worstCaseUsd), by: 'other' }];
  const { users } = paidOf({ tanks });
  const ofUsers: Part = { key: 'users', title: `Users, in ${tokens}`, usdMicros: users, by: 'users' };
  return [...ofTanks, ...ofOther, ofUsers].filter(({ usdMicros }) => usdMicros > 0n);
}

/** Decimal text of USD in millionths, exactly. */
export function microsOf(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.replace('-', '').split('.');
  const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return usd.startsWith('-') ? -micros : micros;
}

/** Millionths of a USD as decimal text. */
export function usdOfMicros(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
