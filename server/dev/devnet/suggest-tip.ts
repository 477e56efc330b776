import type { IncomingMessage, ServerResponse } from 'node:http';
import { hexToBigInt, numberToHex, parseGwei } from 'viem';
import { z } from 'zod';
import { createBodiesUnderWay } from '../../../gateway/http/bodies-under-way.ts';
import { startHttpServer } from '../../../gateway/http/http-server.ts';
import { readJsonBody } from '../../../gateway/http/json-body.ts';
import { sendJsonText } from '../../../gateway/http/send-json.ts';

/** Anvil never suggests less, whatever has been paid: `MIN_SUGGESTED_PRIORITY_FEE`. */
const leastOfAnvil = parseGwei('1');

/** Largest body, in bytes, and its deepest nesting. Simulations carry the code of contracts. */
const bodyBounds = {
  maxBytes: 8_000_000,
  maxDepth: 20,
  maxValues: 1_000_000,
  underWay: createBodiesUnderWay(100_000_000),
};
/** Time for open requests at close, in milliseconds. */
const drainMs = 100;
const browsers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

const requestSchema = z.looseObject({ id: z.unknown(), method: z.string() });
const answerSchema = z.looseObject({ id: z.unknown(), result: z.string() });

/**
 * An anvil at another address, on loopback, that suggests `tip` (wei per gas) as priority fee. A layer 2 takes a thousandth of what
 * anvil suggests, so clients that ask for the fee would pay far more here than there. All else is anvil's answer.
 */
export function startWithTip(options: { readonly nodeUrl: string; readonly port: number; readonly tip: bigint }) {
  const { nodeUrl, port, tip } = options;
  const suggest = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readJsonBody(request, bodyBounds);
    if (body.kind === 'aborted') return;
    const sent = body.kind === 'json' ? body.value : null;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(nodeUrl, { method: 'POST', headers, body: JSON.stringify(sent) });
    const text = await answer.text();
    sendJsonText(response, answer.status, asksForFee(sent) ? withTip(sent, JSON.parse(text), tip) : text, browsers);
  };
  return startHttpServer(
    (request, response) => {
      if (request.method === 'OPTIONS') response.writeHead(204, browsers).end();
      else suggest(request, response).catch(() => response.destroy());
    },
    { host: '127.0.0.1', port, drainMs },
  );
}

/** The answers that contain anvil's suggestion: the tip itself, and the base fee with it. */
const feeMethods = new Set(['eth_maxPriorityFeePerGas', 'eth_gasPrice']);

function requestsIn(sent: unknown): readonly z.output<typeof requestSchema>[] {
  const all: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  return all.flatMap((each) => requestSchema.safeParse(each).data ?? []);
}

function asksForFee(sent: unknown): boolean {
  return requestsIn(sent).some(({ method }) => feeMethods.has(method));
}

function withTip(sent: unknown, answered: unknown, tip: bigint): string {
  const ids = new Set(requestsIn(sent).flatMap(({ id, method }) => (feeMethods.has(method) ? [id] : [])));
  const lower = (one: unknown) => {
    const { data } = answerSchema.safeParse(one);
    if (data === undefined || !ids.has(data.id)) return one;
    return { ...data, result: numberToHex(hexToBigInt(data.result as `0x${string}`) - leastOfAnvil + tip) };
  };
  return JSON.stringify(Array.isArray(answered) ? answered.map(lower) : lower(answered));
}
