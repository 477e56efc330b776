/** The type of a value that is not a list: what a condition can test. */
export type ValueType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  | { readonly kind: 'address' | 'bool' | 'bytes' | 'string' };

/** An ABI type, and whether it is dynamic (ABI encoding: its value follows the heads). */
export type ArgumentType = { readonly isDynamic: boolean } & (
  | ValueType
  | { readonly kind: 'array'; readonly element: ArgumentType; readonly length?: number }
  | { readonly kind: 'tuple'; readonly components: readonly Argument[] }
);

/** A parameter of a method, or a component of a tuple. Names may be missing or repeated. */
export type Argument = { readonly name: string; readonly type: ArgumentType };

const arrayType = /^(.+)\[(\d*)\]$/;
const integerType = /^(u?)int(\d*)$/;
const fixedBytesType = /^bytes(\d+)$/;

/**
 * Parameters of an ABI that was checked at registration (`parseAbi`). Undefined for types that no compiler can encode: fixed
 * point numbers and empty tuples.
 */
export function readArguments(inputs: unknown): readonly Argument[] | undefined {
  if (!Array.isArray(inputs)) return [];
  const read = (inputs as readonly JsonParameter[]).map(({ name = '', type, components }) => {
    const known = readType(type, components);
    return known && { name, type: known };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}

type JsonParameter = { readonly name?: string; readonly type: string; readonly components?: unknown };

function readType(type: string, components: unknown): ArgumentType | undefined {
  const [, element, length] = arrayType.exec(type) ?? [];
  if (element !== undefined) return arrayOf(readType(element, components), length);
  if (type === 'tuple') return tupleOf(readArguments(components));
  if (type === 'bytes' || type === 'string') return { kind: type, isDynamic: true };
  return readWord(type);
}

function arrayOf(element: ArgumentType | undefined, length = ''): ArgumentType | undefined {
  if (element === undefined) return undefined;
  if (length === '') return { kind: 'array', element, isDynamic: true };
  return { kind: 'array', element, length: Number(length), isDynamic: element.isDynamic };
}

/** An empty tuple has no size, so a list of them could have any length at no cost. */
function tupleOf(components: readonly Argument[] | undefined): ArgumentType | undefined {
  if (components === undefined || components.length === 0) return undefined;
  return { kind: 'tuple', components, isDynamic: components.some(({ type }) => type.isDynamic) };
}

/** Caches the few hundred elementary types, since an ABI repeats them for thousands of parameters. */
const knownWords = new Map<string, ArgumentType>();

function readWord(type: string): ArgumentType | undefined {
  const known = knownWords.get(type);
  if (known !== undefined) return known;
  const value = readWordType(type);
  if (value === undefined) return undefined;
  const word: ArgumentType = { ...value, isDynamic: false };
  knownWords.set(type, word);
  return word;
}

function readWordType(type: string): ValueType | undefined {
  if (type === 'address' || type === 'bool') return { kind: type };
  const [, unsigned, bits] = integerType.exec(type) ?? [];
  if (bits !== undefined) return { kind: unsigned === 'u' ? 'uint' : 'int', bits: Number(bits || 256) };
  const size = type === 'function' ? '24' : fixedBytesType.exec(type)?.[1];
  return size === undefined ? undefined : { kind: 'fixedBytes', size: Number(size) };
}
