import { z } from 'zod';
import { tryAgain } from '../../clients/cli/terminal/cli-error.ts';

/** Longest wait for one answer, in milliseconds. */
const answerTimeoutMs = 15_000;

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z
    .object({
      code: z.number(),
      message: z.string(),
      data: z.object({ reason: z.string().optional() }).optional(),
    })
    .optional(),
});

/** The service refused; `reason` is its stable reason, e.g. `INSUFFICIENT_FUNDS`. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
  readonly reason: string | undefined;

  constructor(method: string, error: { message: string; reason: string | undefined }) {
    super(`${method} was refused (${error.reason ?? 'no reason given'}): ${error.message}`);
    this.reason = error.reason;
  }
}

/** The body of a JSON-RPC request. */
export function rpcBody(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Makes one JSON-RPC call and checks its result with `schema`. Throws `RpcRefused` for an error response. */
export async function rpcCall<Schema extends z.ZodType>(
  url: string,
  method: string,
  params: readonly unknown[],
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: rpcBody(method, params),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  const answer = answerSchema.parse(await response.json());
  if (answer.error !== undefined) {
    throw new RpcRefused(method, { message: answer.error.message, reason: answer.error.data?.reason });
  }
  return schema.parse(answer.result);
}

const readyTimeoutMs = 30_000;
const retryMs = 100;

/** Waits until `/readyz` answers 200. */
export async function waitUntilReady(adminUrl: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) });
    const answer = await response.text();
    if (response.ok) return;
    if (Date.now() > deadline) throw tryAgain(`The service did not become ready: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
