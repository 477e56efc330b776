import { z } from 'zod';
import { readVendorUse, type VendorUse, writeVendorUse } from './vendor-use.ts';
import { fromWeiText, toWeiText } from './wei.ts';
import { isWei } from './wei-columns.ts';

/** How a value is stored in a column. */
export type Codec<Type extends 'text' | 'number', Stored, Value> = {
  readonly type: Type;
  /** The column may be null. */
  readonly mayLack: boolean;
  /** The condition that every stored value meets: SQL of the column's name. */
  readonly check?: (column: string) => string;
  write(value: Value): Stored;
  read(stored: Stored): Value;
};

/** A value that may be missing: then the column is null. */
export function orNull<Type extends 'text' | 'number', Stored, Value>(
  codec: Codec<Type, Stored, Value>,
): Codec<Type, Stored | null, Value | undefined> {
  return {
    ...codec,
    mayLack: true,
    write: (value) => (value === undefined ? null : codec.write(value)),
    read: (stored) => (stored === null ? undefined : codec.read(stored)),
  };
}

const asItIs = <Value>(value: Value): Value => value;

export const text: Codec<'text', string, string> = { type: 'text', mayLack: false, write: asItIs, read: asItIs };

export const number: Codec<'number', number, number> = { type: 'number', mayLack: false, write: asItIs, read: asItIs };

/** An amount of wei. */
export const wei: Codec<'text', string, bigint> = {
  type: 'text',
  mayLack: false,
  check: isWei,
  write: toWeiText,
  read: fromWeiText,
};

/** Millionths of a USD. */
export const usdMicros: Codec<'number', number, bigint> = {
  type: 'number',
  mayLack: false,
  check: (column) => `${column} >= 0`,
  write: Number,
  read: BigInt,
};

/** Yes or no: 1 or 0. */
export const flag: Codec<'number', number, boolean> = {
  type: 'number',
  mayLack: false,
  check: (column) => `${column} IN (0, 1)`,
  write: (value) => (value ? 1 : 0),
  read: (stored) => stored === 1,
};

/** One of some texts. */
export function oneOf<const Text extends string>(texts: readonly Text[]): Codec<'text', Text, Text> {
  const listed = texts.map((one) => `'${one}'`).join(', ');
  return {
    type: 'text',
    mayLack: false,
    check: (column) => `${column} IN (${listed})`,
    write: asItIs,
    read: asItIs,
  };
}

/** Different texts without commas. */
export const textSet: Codec<'text', string, Set<string>> = {
  type: 'text',
  mayLack: false,
  write: (texts) => [...texts].join(','),
  read: (stored) => new Set(stored.split(',')),
};

const CountsSchema = z.record(z.string(), z.number());

/** How often each of some keys counts: JSON, null without any. */
export const counts: Codec<'text', string | null, ReadonlyMap<string, number>> = {
  type: 'text',
  mayLack: true,
  write: (map) => (map.size === 0 ? null : JSON.stringify(Object.fromEntries(map))),
  read: (stored) => new Map(stored === null ? [] : Object.entries(CountsSchema.parse(JSON.parse(stored)))),
};

/** Lists of numbers by a code. */
type Lists = Readonly<Record<string, readonly number[]>>;

const ListsSchema = z.record(z.string(), z.array(z.number()));
const noLists: Lists = {};

/** Lists of numbers by a code: JSON. */
export const numberLists: Codec<'text', string, Lists> = {
  type: 'text',
  mayLack: false,
  write: JSON.stringify,
  read: (stored) => (stored === '{}' ? noLists : ListsSchema.parse(JSON.parse(stored))),
};

/** What another paymaster has been asked for: JSON. */
export const vendorUse: Codec<'text', string, VendorUse> = {
  type: 'text',
  mayLack: false,
  write: writeVendorUse,
  read: readVendorUse,
};
