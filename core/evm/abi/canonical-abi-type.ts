/** Longest `type` of a parameter, in characters: room for any elementary type with a dozen array dimensions. */
const maxTypeLength = 128;

const elementary = /^(?:address|bool|string|function|bytes(?:[1-9]|[12]\d|3[0-2])?)$/;
const integer = /^(u?int)([1-9]\d{0,2})?$/;
const fixedPoint = /^(u?fixed)(?:([1-9]\d{0,2})x([1-9]\d?))?$/;
const arrayOf = /^([a-z0-9]+)((?:\[(?:[1-9]\d{0,9})?\])*)$/;

/**
 * The type of an ABI parameter as written in a function signature (Solidity ABI specification, "Types"): tuples expanded,
 * `uint` as `uint256`. Undefined when the parameter is not valid. The depth of the JSON bounds the recursion.
 */
function canonicalAbiType(parameter: unknown): string | undefined {
  if (typeof parameter !== 'object' || parameter === null) return undefined;
  if (!('type' in parameter) || typeof parameter.type !== 'string' || parameter.type.length > maxTypeLength) {
    return undefined;
  }
  if ('name' in parameter && typeof parameter.name !== 'string') return undefined;
  const [, base, dimensions] = arrayOf.exec(parameter.type) ?? [];
  if (base === undefined || dimensions === undefined) return undefined;
  const element =
    base === 'tuple'
      ? canonicalAbiTypes('components' in parameter ? parameter.components : undefined)
      : canonicalElementaryType(base);
  return element === undefined ? undefined : `${element}${dimensions}`;
}

/** The types of a parameter list in parentheses, `(address,uint256)`, or undefined when one of them is not a type. */
export function canonicalAbiTypes(parameters: unknown): string | undefined {
  if (!Array.isArray(parameters)) return undefined;
  const types: string[] = [];
  for (const parameter of parameters) {
    const type = canonicalAbiType(parameter);
    if (type === undefined) return undefined;
    types.push(type);
  }
  return `(${types.join(',')})`;
}

function canonicalElementaryType(name: string): string | undefined {
  if (elementary.test(name)) return name;
  const [, integerKind, integerBits = '256'] = integer.exec(name) ?? [];
  if (integerKind !== undefined) return areWholeBytes(integerBits) ? `${integerKind}${integerBits}` : undefined;
  const [, fixedKind, fixedBits = '128', decimals = '18'] = fixedPoint.exec(name) ?? [];
  if (fixedKind === undefined || !areWholeBytes(fixedBits) || Number(decimals) > 80) return undefined;
  return `${fixedKind}${fixedBits}x${decimals}`;
}

function areWholeBytes(bits: string): boolean {
  return Number(bits) % 8 === 0 && Number(bits) <= 256;
}
