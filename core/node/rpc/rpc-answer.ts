import { randomUUID } from 'node:crypto';
import { HttpRequestError, RpcError, RpcRequestError } from 'viem';

/**
 * The other side's own error about a failed request. `code` and `data` are the JSON-RPC ones, absent in a bare HTTP error.
 */
type RpcAnswer = { readonly code?: number; readonly details: string; readonly data?: unknown };

/** Extracts the answer from viem's errors; undefined when there was none (no connection, timeout, not JSON-RPC). */
export function readRpcAnswer(error: unknown): RpcAnswer | undefined {
  if (error instanceof RpcError || error instanceof RpcRequestError) {
    return { code: error.code, details: error.details, data: dataOf(error) };
  }
  // Some servers put a JSON-RPC error into an HTTP error.
  if (error instanceof HttpRequestError && error.status !== undefined) return { details: error.details };
  return undefined;
}

/** viem wraps the error with the data in one that explains its code. */
function dataOf(error: RpcError | RpcRequestError): unknown {
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  return answered instanceof RpcRequestError ? answered.data : undefined;
}

/** The code of an exceeded limit, whatever code the server gave: HTTP status 429. */
export const limitExceededCode = 429;
/** JSON-RPC codes with which a node refuses service for now; other errors are about the question. */
const refusesService = new Set([-32005, -32007, limitExceededCode]);

/** Whether a server refuses because of its rate limit. */
export function exceedsLimit(error: unknown): boolean {
  const code = readRpcAnswer(error)?.code;
  return code === undefined
    ? error instanceof HttpRequestError && error.status === limitExceededCode
    : refusesService.has(code);
}

/** Whether the other side caused the error: no JSON-RPC answer, or a refusal of service. */
export function isFailure(error: unknown): boolean {
  const code = readRpcAnswer(error)?.code;
  return code === undefined || refusesService.has(code);
}

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
