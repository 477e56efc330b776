import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { startStandIn } from './stand-in-server.ts';

/** How the node answers the service: as it is, not at all, or without some methods. */
export type NodeBehaviour = { readonly failing: 'none' | 'all' | readonly string[] };

/** Stands between the service and the chain's node, so that a recording can let the node fail. */
export type NodeRelay = {
  readonly url: string;
  behave(behaviour: NodeBehaviour): void;
  isFailing(): boolean;
  close(): Promise<void>;
};

const working: NodeBehaviour = { failing: 'none' };

export async function startNodeRelay(nodeUrl: string): Promise<NodeRelay> {
  let behaviour = working;
  const server = await startStandIn(async (incoming, response) => {
    const body = await text(incoming);
    if (isAmong(behaviour, body)) return refuse(response, body);
    const answer = await request(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' });
    response.end(await answer.body.text());
  });
  return {
    ...server,
    isFailing: () => behaviour.failing !== 'none',
    behave: (next) => {
      behaviour = next;
    },
  };
}

function isAmong({ failing }: NodeBehaviour, body: string): boolean {
  if (failing === 'none') return false;
  return failing === 'all' || failing.some((method) => body.includes(`"${method}"`));
}

/** As a node that is overloaded: an error for each question. */
function refuse(response: ServerResponse, body: string): void {
  const sent: unknown = JSON.parse(body);
  const answers = (Array.isArray(sent) ? sent : [sent]).map(({ id }) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32_005, message: 'the node is overloaded' },
  }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]));
}
