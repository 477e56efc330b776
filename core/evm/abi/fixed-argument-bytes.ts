const wordBytes = 32;
const dynamicType = /^(string|bytes)$/;

/**
 * How many bytes the arguments of a method always take, by its canonical signature (`transfer(address,uint256)`: 64). Undefined
 * where that depends on the values: `bytes`, `string`, and lists of any length.
 */
export function fixedArgumentBytes(signature: string): number | undefined {
  const words = wordsOf(signature.slice(signature.indexOf('(')));
  return words === undefined ? undefined : words * wordBytes;
}

/** Words of a type: of a tuple those of its components, of an array those of its elements. */
function wordsOf(type: string): number | undefined {
  const array = /^(.*)\[(\d*)\]$/s.exec(type);
  if (array !== null) {
    const [, element = '', length] = array;
    const words = length === '' ? undefined : wordsOf(element);
    return words === undefined ? undefined : words * Number(length);
  }
  if (!type.startsWith('(')) return dynamicType.test(type) ? undefined : 1;
  let words = 0;
  for (const component of componentsOf(type.slice(1, -1))) {
    const own = wordsOf(component);
    if (own === undefined) return undefined;
    words += own;
  }
  return words;
}

/** The types between commas that are in no tuple of their own. */
function componentsOf(types: string): readonly string[] {
  const components: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < types.length; index++) {
    if (types[index] === '(') depth += 1;
    if (types[index] === ')') depth -= 1;
    if (types[index] === ',' && depth === 0) {
      components.push(types.slice(start, index));
      start = index + 1;
    }
  }
  return types === '' ? [] : [...components, types.slice(start)];
}
