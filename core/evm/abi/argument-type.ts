/** The type of a value that is no list: what a condition can be about. */
export type ValueType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  | { readonly kind: 'address' | 'bool' | 'bytes' | 'string' };

/** A type of the ABI, and whether its values stand behind the heads of those next to them. */
export type ArgumentType = { readonly isDynamic: boolean } & (
  | ValueType
  | { readonly kind: 'array'; readonly element: ArgumentType; readonly length?: number }
  | { readonly kind: 'tuple'; readonly components: readonly Argument[] }
);

/** A parameter of a method, or a component of a tuple. Some have no name, and some the same. */
export type Argument = { readonly name: string; readonly type: ArgumentType };

const arrayType = /^(.+)\[(\d*)\]$/;
const integerType = /^(u?)int(\d*)$/;
const fixedBytesType = /^bytes(\d+)$/;

/**
 * Parameters of an ABI that was checked when it was registered (`parseAbi`). Nothing for those that no compiler can encode:
 * fixed point numbers and empty tuples.
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

/** Without components it has no size, and a list of them could be counted forever. */
function tupleOf(components: readonly Argument[] | undefined): ArgumentType | undefined {
  if (components === undefined || components.length === 0) return undefined;
  return { kind: 'tuple', components, isDynamic: components.some(({ type }) => type.isDynamic) };
}

/** Each once, since an ABI repeats them for thousands of parameters: there are some hundred. */
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
