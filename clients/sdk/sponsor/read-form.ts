import type { Address, Hex } from 'viem';

/**
 * Parses a value of an answer and returns its known parts; throws `NotInForm` for another form. A page that requests
 * sponsorship loads only these few lines and no schema library.
 */
export type Read<T> = (value: unknown) => T;

/** The value does not have the expected form. */
class NotInForm extends Error {
  override readonly name = 'NotInForm';
}

function check<T>(isIt: (value: unknown) => value is T): Read<T> {
  return (value) => {
    if (isIt(value)) return value;
    throw new NotInForm();
  };
}

export const readText = check((value): value is string => typeof value === 'string');
export const readNumber = check((value): value is number => typeof value === 'number' && Number.isFinite(value));
export const readInteger = check((value): value is number => Number.isSafeInteger(value));

/** One of a few literal values. */
export function readOneOf<const T extends string | null>(...values: readonly T[]): Read<T> {
  return check((value): value is T => values.includes(value as T));
}

/** Text matching a pattern, converted. */
export function readPattern<T>(pattern: RegExp, convert: (text: string) => T): Read<T> {
  return (value) => {
    const text = readText(value);
    if (!pattern.test(text)) throw new NotInForm();
    return convert(text);
  };
}

export function readArray<T>(item: Read<T>): Read<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new NotInForm();
    return value.map((each) => item(each));
  };
}

/** A field that may be left out. */
export function readOptional<T>(read: Read<T>): Read<T | undefined> {
  return (value) => (value === undefined ? undefined : read(value));
}

/** The known fields of an object; others are dropped, since a newer service may send more. */
export function readObject<T extends object>(fields: { readonly [Key in keyof T]-?: Read<T[Key]> }): Read<T> {
  const entries = Object.entries(fields) as [string, Read<unknown>][];
  return (value) => {
    const given = readRecord(value);
    const read = entries.map(([name, field]) => [name, field(given[name])] as const);
    // Every field of T was read by its own function.
    return Object.fromEntries(read.filter(([, known]) => known !== undefined)) as T;
  };
}

/** An object with any fields. */
export const readRecord = check(
  (value): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** The first of several forms that matches. */
export function readEither<One, Other>(one: Read<One>, other: Read<Other>): Read<One | Other> {
  return (value) => readOrNothing(one, value) ?? other(value);
}

/** The parsed value, or undefined if it does not match. */
export function readOrNothing<T>(read: Read<T>, value: unknown): T | undefined {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof NotInForm) return undefined;
    throw error;
  }
}

/** Bytes as hex. */
export const readHex = readPattern(/^0x(?:[0-9a-fA-F]{2})*$/, (text): Hex => `0x${text.slice(2)}`);

export const readAddress = readPattern(/^0x[0-9a-fA-F]{40}$/, (text): Address => `0x${text.slice(2)}`);

/** A whole number as decimal digits, or as hex. */
export const readQuantityText = readPattern(/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/, (text) => BigInt(text));

/** A whole number as a JSON number that a double holds exactly. */
export function readQuantityNumber(value: unknown): bigint {
  const number = readInteger(value);
  if (number < 0) throw new NotInForm();
  return BigInt(number);
}

/** A chain id as the ERC-7677 methods carry it. */
export function chainIdHex(chainId: number): Hex {
  return `0x${chainId.toString(16)}`;
}
