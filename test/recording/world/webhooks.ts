import { text } from 'node:stream/consumers';
import { startStandIn } from './stand-in-server.ts';

/** The account holder's server: what a webhook answers is in its path. */
export type WebhookStandIn = {
  readonly url: string;
  /** Bodies of the calls since the last time they were taken, oldest first. */
  take(): readonly string[];
  /** Whether the price of the coin is answered. */
  servePrices(served: boolean): void;
  close(): Promise<void>;
};

const answers: Readonly<Record<string, { readonly status: number; readonly body: string }>> = {
  '/approves': { status: 200, body: JSON.stringify({ arePoliciesVerified: true }) },
  '/refuses': { status: 200, body: JSON.stringify({ arePoliciesVerified: false }) },
  '/unclear': { status: 200, body: '{}' },
  '/down': { status: 503, body: 'down' },
  '/hears': { status: 204, body: '' },
  '/price': { status: 200, body: JSON.stringify({ usd: '2000' }) },
};

export async function startWebhookStandIn(): Promise<WebhookStandIn> {
  let bodies: string[] = [];
  let hasPrices = true;
  const server = await startStandIn(async (request, response) => {
    const sent = await text(request);
    if (request.method === 'POST') bodies.push(`${request.url} ${sent}`);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const isThere = pathname !== '/price' || hasPrices;
    const { status, body } = (isThere ? answers[pathname] : undefined) ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return {
    ...server,
    take: () => {
      const taken = bodies;
      bodies = [];
      return taken;
    },
    servePrices: (served) => {
      hasPrices = served;
    },
  };
}
