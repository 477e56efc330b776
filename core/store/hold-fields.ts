import { settlementStates } from '@tollfree/contract/decision-fields';
import type { Generated } from 'kysely';
import {
  type Codec,
  counts,
  flag,
  number,
  numberLists,
  oneOf,
  orNull,
  text,
  textSet,
  usdMicros,
  vendorUse,
  wei,
} from './field-codecs.ts';

type ColumnType = 'text' | 'number';

/** A field that each new hold is given. `more` is SQL that ends the column's definition. */
function given<const Column extends string, Type extends ColumnType, Stored, Value>(
  column: Column,
  codec: Codec<Type, Stored, Value>,
  more = '',
) {
  return { column, codec, more, fresh: undefined };
}

/** A field that has the value of `fresh` in a new hold, unless that is given another. */
function startsAs<const Column extends string, Type extends ColumnType, Stored, Value>(
  column: Column,
  codec: Codec<Type, Stored, Value>,
  fresh: () => NoInfer<Value>,
  more = '',
) {
  return { column, codec, more, fresh };
}

/** A field that a new hold lacks, unless it is given one. */
function mayLack<const Column extends string, Type extends ColumnType, Stored, Value>(
  column: Column,
  codec: Codec<Type, Stored, Value>,
  more = '',
) {
  return startsAs(column, orNull(codec), () => undefined, more);
}

/** A hold is the maximum cost of a signature that may still land. These fields never change. */
const neverChanged = {
  tankId: given('tank_id', number, 'REFERENCES tanks (tank_id)'),
  /** `sender:nonce`; identifies a live hold within its tank: only one operation with it can land. */
  operationKey: given('operation_key', text),
  sender: given('sender', text),
  /** In decimal digits. */
  nonce: given('nonce', text),
  paymasterId: given('paymaster_id', text),
  /** The named policy that counts it; empty for the default one. */
  policyId: startsAs('policy_id', text, () => ''),
  /** Unix seconds. */
  createdAt: given('created_at', number),
  /** The key that requested it first: 0 for the paymaster's own, also for requests without a key. What joins it counts for that key. */
  keyNumber: startsAs('key_number', number, () => 0, 'CHECK (key_number >= 0)'),
} as const;

/** They may change while a hold is live, mostly when a request joins it. They stay as they were held when it ends. */
const changedWhileLive = {
  /** What is set aside, in wei. */
  amount: given('amount', wei),
  /** Unix seconds of chain time, after which no operation of this hold can land. */
  validUntil: given('valid_until', number, 'CHECK (valid_until > 0)'),
  /** A signature under it is valid longer than most policies allow. */
  lastsLong: startsAs('lasts_long', flag, () => false),
  /** Its operation creates its account, with known code. */
  deploys: startsAs('deploys', flag, () => false),
  /** Who requested most of it, as a keyed digest of the address, while the hold is live; undefined when it is not known. */
  client: mayLack('client', text, "CHECK (client IS NULL OR state = 'live')"),
  /** Checksummed addresses of the keys that sign under it; undefined when not all of them are known. */
  signers: mayLack('signers', textSet, 'CHECK (length(signers) >= 42)'),
  /** The ticket user that limits count it for: a digest, deleted with the decision. */
  ticketUser: mayLack('ticket_user', text, 'CHECK (length(ticket_user) > 8)'),
  /** The ticket, if it has counted uses or a budget: a digest, deleted with the decision. */
  ticket: mayLack('ticket', text, 'CHECK (ticket IS NULL OR ticket_user IS NOT NULL)'),
  /** The minimum that users pay of what is counted, in percent; undefined while they pay nothing of it, or everything. */
  userPercent: mayLack('user_percent', number, 'CHECK (user_percent BETWEEN 1 AND 99)'),
  /** What the policy's limits count of it, in wei: part of the amount. Undefined while it is only in token mode. */
  limitWei: mayLack('limit_wei', wei),
  /** What limits in USD count of it, in millionths, at the price of the time of the request; undefined while it is not known. */
  usdMicros: mayLack('usd_micros', usdMicros),
  /** What budgets of the account count of it, in millionths of a USD; undefined while it is not known. */
  budgetUsd: mayLack('budget_usd', usdMicros),
  /** How much of it can be lost because the user is charged after the call, in wei; undefined when none of it can. */
  atRisk: mayLack('at_risk', wei),
  /** How many of its calls the limits of contracts and methods count, by the keys of `called-limits.ts`. */
  calls: startsAs('calls', counts, () => new Map()),
  /** What another paymaster has been asked for; undefined where none was. */
  vendorUse: mayLack('vendor_use', vendorUse),
  /**
   * Another paymaster sponsored the operation. Whether it landed is unknown, so limits still count the hold after its release.
   */
  vendorSigned: startsAs('vendor', flag, () => false),
  /** The accounts that count it, see `core/ledger/accounts/legs.ts`. */
  legs: startsAs('legs', numberLists, () => ({})),
} as const;

/** How a hold ended. A live one, and one that an event's rollback makes live again, has the values of a new one. */
const changedByEnd = {
  state: startsAs('state', oneOf(settlementStates), () => 'live' as const),
  /** When its end was recorded, in Unix seconds. */
  endedAt: mayLack('ended_at', number),
  /**
   * For a released one: why nothing can land under it. Its signatures expired, its nonce was used by another operation, or the
   * operator released it, with proof. It stays with one that lands late.
   */
  releasedBecause: mayLack('released_because', oneOf(['expired', 'replaced', 'operator'])),
  /** The operation that used its nonce, and that operation's block, if an event reports it. */
  landedHash: mayLack('landed_hash', text),
  landedBlock: mayLack('landed_block', number),
  /** For a settled one, like the next four: its transaction. */
  landedTx: mayLack('landed_tx', text),
  success: mayLack('success', flag),
  /** What the tank paid, in wei. */
  charge: mayLack('charge', wei),
  /** The charge's worth when it was posted, in millionths of a USD; undefined if no price was known. */
  chargeUsd: mayLack('charge_usd', usdMicros),
  /** The part of the charge that users paid in tokens, in wei. */
  usersPaid: mayLack('users_paid', wei),
  /** What limits count by now: a part of the charge, in wei; undefined where they counted nothing. */
  keptWei: mayLack('kept_wei', wei),
  /** What limits in USD count by now, in millionths. */
  keptUsd: mayLack('kept_usd', usdMicros),
  /** What budgets of the account count by now, in millionths of a USD. */
  keptBudgetUsd: mayLack('kept_budget_usd', usdMicros),
  /** For a settled one that landed without the due payment: what the tank paid, in wei. */
  unpaid: mayLack('unpaid', wei),
  /** Until when the unpaid charge counts in the operator's budget, in Unix seconds; undefined once it does not. */
  unpaidUntil: mayLack('unpaid_until', number, 'CHECK (unpaid_until IS NULL OR unpaid IS NOT NULL)'),
} as const;

/**
 * All fields of a hold, each with its column: the table, its row, and what writes, reads and clears holds follow from this list.
 */
const holdFields = { ...neverChanged, ...changedWhileLive, ...changedByEnd } as const;

type NewFields = typeof neverChanged & typeof changedWhileLive;
type EndFields = typeof changedByEnd;
type HoldFields = typeof holdFields;

type AnyField = {
  readonly column: string;
  readonly codec: Pick<Codec<ColumnType, unknown, unknown>, 'type' | 'mayLack' | 'check' | 'write' | 'read'>;
  readonly more: string;
  readonly fresh: (() => unknown) | undefined;
};
type CodecOf<Field> = Field extends { readonly codec: infer Of } ? Of : never;
type ValueOf<Field> = CodecOf<Field> extends { read(stored: never): infer Value } ? Value : never;
type StoredOf<Field> = CodecOf<Field> extends { write(value: never): infer Stored } ? Stored : never;
type Values<Fields> = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };
type ColumnOf<Field> = Field extends { readonly column: infer Column extends string } ? Column : never;
type Row<Fields> = { [Name in keyof Fields as ColumnOf<Fields[Name]>]: StoredOf<Fields[Name]> };
type WrittenTypes<Fields> = {
  readonly [Name in keyof Fields as ColumnOf<Fields[Name]>]: CodecOf<Fields[Name]> extends {
    type: infer Type extends ColumnType;
  }
    ? Type
    : never;
};
type GivenIn<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { fresh: undefined } ? Name : never;
}[keyof Fields];

/** A table row of a hold. */
export type HoldsTable = { hold_id: number } & {
  [Name in keyof HoldFields as ColumnOf<HoldFields[Name]>]: HoldFields[Name]['fresh'] extends undefined
    ? StoredOf<HoldFields[Name]>
    : Generated<StoredOf<HoldFields[Name]>>;
};

/** Why nothing can land under a hold. */
export type ReleaseCause = NonNullable<ValueOf<EndFields['releasedBecause']>>;

/** The values of a hold that is live or being made. */
export type NewHold = Values<NewFields>;

/** The values of how a hold ended. */
export type HoldEndValues = Values<EndFields>;

/** All values of a stored hold. */
export type StoredHold = Values<HoldFields> & { readonly holdId: number };

type Entry = readonly [name: string, field: AnyField];

const neverEntries: readonly Entry[] = Object.entries(neverChanged);
const liveEntries: readonly Entry[] = Object.entries(changedWhileLive);
const endEntries: readonly Entry[] = Object.entries(changedByEnd);
const newEntries = [...neverEntries, ...liveEntries];
const allEntries = [...newEntries, ...endEntries];

/** The columns of groups of fields, with their types, to write them. */
export const newColumns = typesOf(newEntries) as WrittenTypes<NewFields>;
export const liveColumns = typesOf(liveEntries) as WrittenTypes<typeof changedWhileLive>;
export const endColumns = typesOf(endEntries) as WrittenTypes<EndFields>;

/** The columns of a live hold, to select. */
export const newColumnNames = namesOf(newEntries) as readonly (keyof Row<NewFields>)[];
/** All columns, to select. */
export const holdColumnNames = namesOf(allEntries) as readonly (keyof Row<HoldFields>)[];

/** The columns of some fields, to select. */
export function columnNamesOf<Name extends keyof HoldFields>(names: readonly Name[]) {
  const columns: readonly string[] = names.map((name) => holdFields[name].column);
  return columns as readonly ColumnOf<HoldFields[Name]>[];
}

/** Values as they are stored, by their columns. */
export const writeNew = writerOf<NewFields>(newEntries);
export const writeLive = writerOf<typeof changedWhileLive>(liveEntries);
export const writeEnd = writerOf<EndFields>(endEntries);

/** Reads the columns of {@link newColumnNames}. */
export const readNew = readerOf<NewFields>(newEntries);

const readAll = readerOf<HoldFields>(allEntries);

/** Reads the columns of {@link holdColumnNames}. */
export function readStoredHold(row: Row<HoldFields> & { readonly hold_id: number }): StoredHold {
  return Object.assign(readAll(row), { holdId: row.hold_id });
}

/** Reads the columns of some fields. */
export function readerOfFields<Name extends keyof HoldFields>(names: readonly Name[]) {
  return readerOf<Pick<HoldFields, Name>>(names.map((name) => [name, holdFields[name]]));
}

/** Some values as they are stored, by their columns. */
export function writeSome(values: Partial<Values<HoldFields>>): Partial<Row<HoldFields>> {
  const entries = allEntries.filter(([name]) => name in values);
  return writerOf<Partial<HoldFields>>(entries)(values);
}

/** A hold that is made with these values, and with those of a new one otherwise. */
export function startHold(values: Pick<NewHold, GivenIn<NewFields>> & Partial<NewHold>): NewHold {
  return Object.assign(freshOf(newEntries), values) as NewHold;
}

/** The end of a hold that is live. */
export const notEnded = freshOf(endEntries) as HoldEndValues;

/** The definitions of all columns, for `CREATE TABLE`. */
export function holdColumnsSql(types: { readonly integer: string; readonly text: string }): string {
  return allEntries.map(([, field]) => columnSql(field, types)).join(',\n      ');
}

function columnSql({ column, codec, more, fresh }: AnyField, { integer, text }: Parameters<typeof holdColumnsSql>[0]) {
  const needed = codec.mayLack ? '' : ' NOT NULL';
  const given = codec.mayLack || fresh === undefined ? '' : ` DEFAULT ${literal(codec.write(fresh()))}`;
  const check = codec.check === undefined ? '' : ` CHECK (${codec.check(column)})`;
  return `${column} ${codec.type === 'text' ? text : integer}${needed}${given}${check} ${more}`.trim();
}

function literal(stored: unknown): string {
  return typeof stored === 'string' ? `'${stored}'` : `${stored}`;
}

function namesOf(entries: readonly Entry[]): readonly string[] {
  return entries.map(([, { column }]) => column);
}

function typesOf(entries: readonly Entry[]): Readonly<Record<string, ColumnType>> {
  return Object.fromEntries(entries.map(([, { column, codec }]) => [column, codec.type]));
}

function freshOf(entries: readonly Entry[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, { fresh }] of entries) if (fresh !== undefined) values[name] = fresh();
  return values;
}

function writerOf<Fields>(entries: readonly Entry[]): (values: Values<Fields>) => Row<Fields> {
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const [name, { column, codec }] of entries)
      row[column] = codec.write((values as Record<string, unknown>)[name]);
    // Each entry has the types of its field.
    return row as Row<Fields>;
  };
}

function readerOf<Fields>(entries: readonly Entry[]): (row: Row<Fields>) => Values<Fields> {
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [name, { column, codec }] of entries)
      values[name] = codec.read((row as Record<string, unknown>)[column]);
    // Each entry has the types of its field.
    return values as Values<Fields>;
  };
}
