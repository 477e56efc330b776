const lengthOfArray = /\[(\d+)\]/g;

/**
 * How many values the parameters of a method hold, with the components of tuples and the elements of arrays of a fixed length. A
 * list of any length counts as one element, and a tuple without components as one value. The types have been checked
 * (`canonicalAbiTypes`).
 */
export function countParameters(parameters: unknown): number {
  if (!Array.isArray(parameters)) return 0;
  let count = 0;
  for (const { type, components } of parameters as readonly JsonParameter[]) {
    let ofOne = Math.max(countParameters(components), 1);
    for (const [, length] of type.matchAll(lengthOfArray)) ofOne *= Number(length);
    count += ofOne;
  }
  return count;
}

type JsonParameter = { readonly type: string; readonly components?: unknown };
