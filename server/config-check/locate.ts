import { findNodeAtLocation, type Node } from 'jsonc-parser';

/** Where something stands in a text, both from 1. */
export type Position = { readonly line: number; readonly column: number };

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where a setting stands, or its key; what is not there is placed where it belongs: at the nearest thing around it. */
export function locate(text: string, tree: Node | undefined, path: readonly PropertyKey[], ofKey = false): Position {
  if (tree === undefined) return { line: 1, column: 1 };
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const steps = path.slice(0, depth).map((step) => (typeof step === 'symbol' ? String(step) : step));
    const node = findNodeAtLocation(tree, steps);
    if (node === undefined) continue;
    const isProperty = node.parent?.type === 'property';
    return positionAt(text, ((isProperty && (ofKey || depth < path.length) ? node.parent : node) ?? node).offset);
  }
  return positionAt(text, tree.offset);
}
