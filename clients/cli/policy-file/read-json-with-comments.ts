import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { mistake } from '../terminal/cli-error.ts';

/**
 * The value of a JSON text in which there may be comments and a comma behind the last entry. Throws a `CliError` that begins
 * with `what`, also for a name that an object has twice: of two values only one could count.
 */
export function readJsonWithComments(text: string, what: string): unknown {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const reason = first === undefined ? 'it is empty' : printParseErrorCode(first.error);
    const words = reason.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
    throw mistake(`${what} is not valid JSON: ${words} in line ${lineAt(text, first?.offset ?? 0)}.`);
  }
  checkNames(tree, { text, what });
  return getNodeValue(tree);
}

function checkNames(node: Node, location: { readonly text: string; readonly what: string }): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name: unknown = child.type === 'property' ? child.children?.[0]?.value : undefined;
    const line = lineAt(location.text, child.offset);
    if (name === '__proto__') throw mistake(`${location.what} is not valid: __proto__ in line ${line} is not known.`);
    if (name !== undefined && names.has(name)) {
      throw mistake(`${location.what} is not valid: ${JSON.stringify(name)} is repeated in line ${line}.`);
    }
    names.add(name);
    checkNames(child, location);
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
