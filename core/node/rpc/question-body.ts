import { randomUUID } from 'node:crypto';

/** Text that stands in many questions, as the bytes of its JSON. */
const repeated = new Map<string, Buffer>();
/** Stands for such a text while JSON is written: no one else can know it. */
const mark = randomUUID();

/**
 * Names a text that many questions carry, such as the code that simulations put on chain: its JSON is made once. For
 * constants, since it is never forgotten.
 */
export function repeatInQuestions(text: string): void {
  if (!repeated.has(text)) repeated.set(text, Buffer.from(JSON.stringify(text)));
}

/** A JSON-RPC request as it is sent. */
export function questionBody(
  question: { readonly method: string; readonly params?: unknown },
  id: number,
): string | Buffer {
  const texts: Buffer[] = [];
  const takeOut = (_: string, value: unknown): unknown => {
    const known = typeof value === 'string' ? repeated.get(value) : undefined;
    if (known === undefined) return value;
    texts.push(known);
    return mark;
  };
  const json = JSON.stringify({ jsonrpc: '2.0', id, ...question }, takeOut);
  if (texts.length === 0) return json;
  const between = json.split(`"${mark}"`);
  return Buffer.concat(between.flatMap((part, index) => [Buffer.from(part), ...texts.slice(index, index + 1)]));
}
