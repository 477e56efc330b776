import { canonicalText } from './canonical-text.ts';

/** A changed field: without `from` it was not set, without `to` it will not be. */
export type FieldChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

/** The differences of two objects, ordered by the paths of their fields. Lists are compared as a whole. */
export function findFieldChanges(before: object, after: object): readonly FieldChange[] {
  const [from, to] = [flatten(before), flatten(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .filter((field) => !isSame(from.get(field), to.get(field)))
    .map((field) => ({
      field,
      ...(from.has(field) ? { from: from.get(field) } : {}),
      ...(to.has(field) ? { to: to.get(field) } : {}),
    }));
}

function isSame(from: unknown, to: unknown): boolean {
  if (from === undefined || to === undefined) return from === to;
  return canonicalText(from) === canonicalText(to);
}

function flatten(value: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, unknown][] => {
      if (inner === undefined) return [];
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return [[prefix + name, inner]];
      return [...flatten(inner, `${prefix}${name}.`)];
    }),
  );
}
