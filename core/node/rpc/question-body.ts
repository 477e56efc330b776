import { randomUUID } from 'node:crypto';

/** Texts that many questions contain, as the bytes of their JSON. */
const repeated = new Map<string, Buffer>();
/** Placeholder for such a text while JSON is written. It is random, so no input can contain it. */
const mark = randomUUID();

/**
 * Registers a text that many questions contain, such as simulation code, so that its JSON is made once. Only for constants,
 * since it is never freed.
 */
export function repeatInQuestions(text: string): void {
  if (!repeated.has(text)) repeated.set(text, Buffer.from(JSON.stringify(text)));
}

/** A JSON-RPC request in the form that is sent. */
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
