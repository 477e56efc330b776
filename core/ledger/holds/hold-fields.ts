import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CalledCounts } from '../../policies/called-limits.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { type Legs, noLegs, readLegs, writeLegs } from '../accounts/legs.ts';
import { readVendorUse, writeVendorUse } from '../accounts/vendor-use.ts';

type Stored = Selectable<Database['holds']>;

/** How a field of a hold is stored. `fresh` makes the value of a hold with nothing in it yet. */
type Field<Column extends keyof Stored, Type extends 'text' | 'number', Value> = {
  readonly column: Column;
  readonly type: Type;
  write(value: Value): Stored[Column];
  read(stored: Stored[Column]): Value;
  fresh(): Value;
};

function field<Column extends keyof Stored, const Type extends 'text' | 'number', Value>(
  column: Column,
  type: Type,
  how: Pick<Field<Column, Type, Value>, 'write' | 'read' | 'fresh'>,
): Field<Column, Type, Value> {
  return { column, type, ...how };
}

/** A value that may be missing: then the column is null. */
function orNull<In, Value>(write: (value: Value) => In, read: (stored: In) => Value) {
  return {
    write: (value: Value | undefined): In | null => (value === undefined ? null : write(value)),
    read: (stored: In | null): Value | undefined => (stored === null ? undefined : read(stored)),
    fresh: (): Value | undefined => undefined,
  };
}

const asItIs = <Value>(value: Value): Value => value;
const wei = orNull(toWeiText, fromWeiText);
const usd = orNull<number, bigint>(Number, BigInt);
const text = orNull<string, string>(asItIs, asItIs);

/** The fields of a hold that may change when a request joins it: what stores and reads holds follows from this list. */
const fields = {
  /** What is set aside, in wei. */
  amount: field('amount', 'text', { write: toWeiText, read: fromWeiText, fresh: () => 0n }),
  /** Unix seconds. */
  validUntil: field('valid_until', 'number', { write: asItIs<number>, read: asItIs<number>, fresh: () => 0 }),
  /** A signature under it is valid longer than most policies allow. */
  lastsLong: field('lasts_long', 'number', {
    write: (lastsLong: boolean) => (lastsLong ? 1 : 0),
    read: (stored) => stored === 1,
    fresh: (): boolean => false,
  }),
  /** Who requested most of it, as a digest of the address; undefined when it is not known. */
  client: field('client', 'text', text),
  /** The keys that sign under it; undefined when not all of them are known. */
  signers: field('signers', 'text', {
    ...orNull<string, Set<string>>(
      (signers) => [...signers].join(','),
      (stored) => new Set(stored.split(',')),
    ),
    fresh: () => new Set(),
  }),
  /** The ticket user that limits count it for, and the ticket; undefined without one. */
  ticketUser: field('ticket_user', 'text', text),
  ticket: field('ticket', 'text', text),
  /** The minimum that users pay of what is counted, in percent; undefined while they pay nothing of it. */
  userPercent: field('user_percent', 'number', orNull<number, number>(asItIs, asItIs)),
  /** What the policy's limits count of it, in wei; undefined while it is only in token mode. */
  limitWei: field('limit_wei', 'text', wei),
  /** What limits in USD count of it, in millionths; undefined while it is not known. */
  usdMicros: field('usd_micros', 'number', usd),
  /** What budgets of the account count of it, in millionths of a USD; undefined while it is not known. */
  budgetUsd: field('budget_usd', 'number', usd),
  /** How much of it can be lost because the user is charged after the call, in wei; undefined when none of it can. */
  atRisk: field('at_risk', 'text', wei),
  /** How many of its calls the limits of contracts and methods count. */
  calls: field('calls', 'text', { write: writeCalls, read: readCalls, fresh: (): CalledCounts => new Map() }),
  /** What another paymaster has been asked for; undefined where none was. */
  vendorUse: field('vendor_use', 'text', orNull(writeVendorUse, readVendorUse)),
  /** The accounts that count it. */
  legs: field('legs', 'text', { write: writeLegs, read: readLegs, fresh: (): Legs => noLegs }),
} as const;

type Fields = typeof fields;
type Columns<Of> = {
  readonly [Name in keyof Fields as Fields[Name]['column']]: Of extends 'type'
    ? Fields[Name]['type']
    : Stored[Fields[Name]['column']];
};

/** The values of a hold that may change when a request joins it. */
export type JoinedValues = { -readonly [Name in keyof Fields]: ReturnType<Fields[Name]['read']> };

const entries = Object.entries(fields) as readonly [keyof Fields, Field<keyof Stored, 'text' | 'number', unknown>][];

/** Their columns with the types of these. */
export const joinedColumns = Object.fromEntries(
  entries.map(([, { column, type }]) => [column, type]),
) as Columns<'type'>;

/** Their columns, to select. */
export const joinedNames = entries.map(([, { column }]) => column) as readonly Fields[keyof Fields]['column'][];

/** The values of a hold with nothing in it yet. */
export function freshValues(): JoinedValues {
  return Object.fromEntries(entries.map(([name, { fresh }]) => [name, fresh()])) as JoinedValues;
}

/** A hold's values as they are stored. */
export function writeJoined(hold: JoinedValues): Columns<'stored'> {
  const row: Record<string, unknown> = {};
  for (const [name, { column, write }] of entries) row[column] = write(hold[name]);
  return row as Columns<'stored'>;
}

/** Reads what {@link writeJoined} wrote. */
export function readJoined(row: Columns<'stored'>): JoinedValues {
  const values: Record<string, unknown> = {};
  for (const [name, { column, read }] of entries) values[name] = read((row as Stored)[column]);
  return values as JoinedValues;
}

const CallsSchema = z.record(z.string(), z.number());

/** The calls of a hold as they are stored; null without any. */
function writeCalls(calls: CalledCounts): string | null {
  return calls.size === 0 ? null : JSON.stringify(Object.fromEntries(calls));
}

function readCalls(stored: string | null): CalledCounts {
  return new Map(stored === null ? [] : Object.entries(CallsSchema.parse(JSON.parse(stored))));
}
