/**
 * Reads a value of an answer in one form and gives back what is known of it; throws `NotInForm` otherwise. A page that asks
 * for a sponsorship loads these few lines and no library of schemas.
 */
export type Read<T> = (value: unknown) => T;

/** A value is not in the form that was read. */
export class NotInForm extends Error {
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

/** One of a few values, as they are. */
export function readOneOf<const T extends string | null>(...values: readonly T[]): Read<T> {
  return check((value): value is T => values.includes(value as T));
}

/** Text of a pattern, turned into something else. */
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

/** The fields of an object; others are left out, as a newer service may send some. */
export function readObject<T extends object>(fields: { readonly [Key in keyof T]-?: Read<T[Key]> }): Read<T> {
  const entries = Object.entries(fields) as [string, Read<unknown>][];
  return (value) => {
    const given = readRecord(value);
    const read = entries.map(([name, field]) => [name, field(given[name])] as const);
    // Every field of T was read by its own function.
    return Object.fromEntries(read.filter(([, known]) => known !== undefined)) as T;
  };
}

/** An object of any fields. */
export const readRecord = check(
  (value): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** The first of several forms that the value is in. */
export function readEither<One, Other>(one: Read<One>, other: Read<Other>): Read<One | Other> {
  return (value) => readOrNothing(one, value) ?? other(value);
}

/** What a value is in a form, or undefined when it is not in it. */
export function readOrNothing<T>(read: Read<T>, value: unknown): T | undefined {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof NotInForm) return undefined;
    throw error;
  }
}
