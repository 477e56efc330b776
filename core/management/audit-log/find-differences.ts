import { isDeepStrictEqual } from 'node:util';
import type { Facts, Objects } from './facts.ts';

/** What differs between two looks: whole objects that came or went, and of the others the fields that changed. */
export function findDifferences(
  before: Objects,
  after: Objects,
): { readonly before: Objects; readonly after: Objects } {
  const was: Record<string, Facts> = {};
  const is: Record<string, Facts> = {};
  for (const object of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[object], after[object]];
    const fields = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
    const changed = [...fields].filter((field) => !isDeepStrictEqual(old?.[field], now?.[field]));
    if (changed.length === 0) continue;
    if (old !== undefined) was[object] = pick(old, changed);
    if (now !== undefined) is[object] = pick(now, changed);
  }
  return { before: was, after: is };
}

function pick(facts: Facts, fields: readonly string[]): Facts {
  return Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, facts[field]]));
}
