import type { z } from 'zod';
import { omitAbsent } from '../../../contract/omit-absent.ts';
import { tryAgain } from '../cli-error.ts';

/** Longest wait for one answer, in milliseconds. */
const answerTimeoutMs = 15_000;

export type ManagementCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below `/api/v2/public/sdk`. */
  readonly path: string;
  readonly apiKey?: string;
  readonly body?: object;
};

/** The management interface of a running gateway, called as any other client calls it. */
export type ManagementClient = {
  /** The `data` of a successful answer, checked with `schema`. Anything else ends the command with the answer's text. */
  call<Schema extends z.ZodType>(call: ManagementCall, schema: Schema): Promise<z.output<Schema>>;
};

export function createManagementClient(gatewayUrl: string, authToken: string): ManagementClient {
  return {
    async call({ method, path, apiKey, body }, schema) {
      const response = await fetch(`${gatewayUrl}/api/v2/public/sdk${path}`, {
        method,
        headers: {
          authToken,
          ...omitAbsent({ apiKey, 'content-type': body === undefined ? undefined : 'application/json' }),
        },
        ...omitAbsent({ body: body === undefined ? undefined : JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      const envelope: unknown = await response.json().catch(() => undefined);
      if (!response.ok)
        throw tryAgain(`${method} ${path} was answered with ${response.status}: ${messageOf(envelope)}`);
      const data = typeof envelope === 'object' && envelope !== null && 'data' in envelope ? envelope.data : undefined;
      const parsed = schema.safeParse(data);
      if (!parsed.success) throw tryAgain(`${method} ${path} was answered in a form that is not the interface's.`);
      return parsed.data;
    },
  };
}

function messageOf(envelope: unknown): string {
  if (typeof envelope !== 'object' || envelope === null || !('message' in envelope)) return 'no message';
  return String(envelope.message);
}
