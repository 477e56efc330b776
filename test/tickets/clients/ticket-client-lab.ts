import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { ticketUserDigest } from '../../../core/tickets/ticket.ts';
import { incrementsOf } from '../../support/chain/chain-lab.ts';
import { startTestBundler } from '../../support/chain/test-bundler.ts';
import { readLanded } from '../../support/published-clients/biconomy-bundler.ts';
import { startService } from '../../support/service/running-service.ts';
import { newTicketPaymaster, type TicketPaymaster } from '../../support/service/ticket-lab.ts';
import type { TicketClient, TicketWay } from './ticket-client.ts';

/** A paymaster that sponsors with a ticket alone: `named` by one policy of its own and by no other. */
type TicketTarget = TicketPaymaster & { readonly policyId: string | undefined };

/** A service behind a proxy that remembers what it was sent, and a bundler. */
export type TicketClientLab = {
  /** Expects a ticket sent in this way to arrive there, with the policy's id, and the operation to land. */
  expectArrives(client: TicketClient, way: TicketWay): Promise<void>;
  /** Expects it not to arrive, and nothing to be signed. */
  expectDropped(client: TicketClient, way: TicketWay): Promise<void>;
  close(): Promise<void>;
};

export async function openTicketClientLab(): Promise<TicketClientLab> {
  const service = await startService();
  const proxy = await startRecordingProxy(service.url);
  const [chain] = service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  const bundler = await startTestBundler(service.devnet, chain);
  const targets = new Map<string, TicketTarget>();
  for (const version of ['0.7', '0.8'] as const) {
    const named = await newTicketPaymaster(service, version);
    // So that nothing is sponsored where the id of the other policy does not arrive.
    await named.client.setPolicy({ policy: { requireTicket: true, maxGasPerOperation: 1 } });
    const { policyId } = await named.client.createPolicy({ name: 'Clients', policy: { requireTicket: true } });
    targets.set(`named ${version}`, { ...named, policyId });
    const plain = await newTicketPaymaster(service, version);
    await plain.client.setPolicy({ policy: { requireTicket: true } });
    targets.set(`plain ${version}`, { ...plain, policyId: undefined });
  }

  function targetOf({ version, policyName }: TicketClient): TicketTarget {
    const location = targets.get(`${policyName === undefined ? 'plain' : 'named'} ${version}`);
    if (location === undefined) throw new Error('There is no such paymaster.');
    return location;
  }

  function send(
    client: TicketClient,
    location: TicketTarget,
    sent: { readonly way: TicketWay; readonly ticket: string },
  ) {
    const { way, ticket } = sent;
    proxy.take();
    return client.send({
      devnet: service.devnet,
      bundlerUrl: bundler.url,
      paymasterUrl: proxy.through(location.rpcUrl),
      paymaster: location.address,
      policyId: location.policyId,
      context: way === 'ticket' ? { ticket } : way === 'authorization' ? {} : { sponsorshipInfo: { ticket } },
      headers: way === 'authorization' ? { authorization: `Bearer ${ticket}` } : {},
    });
  }

  return {
    expectArrives: async (client, way) => {
      const location = targetOf(client);
      const sub = `${client.name} ${way}`;
      const ticket = await location.ticket({ sub });
      const { hash, sender } = await send(client, location, { way, ticket });
      const requests = proxy.take();
      expect(arrivedIn(requests, ticket)).toEqual([way]);
      const policyPlaces = location.policyId === undefined ? [] : arrivedIn(requests, location.policyId);
      expect(policyPlaces).toEqual(client.policyName === undefined ? [] : [client.policyName]);

      const { decisions } = await location.client.listDecisions({ outcome: 'signed', limit: 1 });
      const subject = ticketUserDigest({ paymasterId: location.paymasterId, sub });
      expect(decisions).toMatchObject([{ facts: { subject } }]);
      expect(decisions[0]?.policyId).toBe(location.policyId);
      expect(await readLanded(bundler.url, hash)).toMatchObject({ success: true, sender, paymaster: location.address });
      expect(await incrementsOf(service.devnet, sender)).toBe(1n);
    },
    expectDropped: async (client, way) => {
      const location = targetOf(client);
      const ticket = await location.ticket();
      await expect(send(client, location, { way, ticket })).rejects.toThrow(/requires a ticket, and none was sent/);
      expect(arrivedIn(proxy.take(), ticket)).toEqual([]);
      const [decision] = (await location.client.listDecisions({ limit: 1 })).decisions;
      expect(decision).toMatchObject({ outcome: 'refused', reason: 'TICKET_REQUIRED' });
    },
    close: async () => {
      await bundler.close();
      await proxy.close();
      await service.close();
    },
  };
}

/** Where a text is in what was sent: the names that lead to it. */
function placesIn(value: unknown, text: string, names: readonly string[] = []): readonly string[] {
  if (typeof value === 'string') return value === text ? [names.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    placesIn(inner, text, Array.isArray(value) ? names : [...names, name]),
  );
}

/** Where the requests about an operation had it, each place once. */
function arrivedIn(requests: readonly RecordedRequest[], text: string): readonly string[] {
  const found = requests.flatMap(({ params, headers }) => [
    ...placesIn(params, text),
    ...(headers.authorization === `Bearer ${text}` ? ['authorization'] : []),
  ]);
  return [...new Set(found)];
}

/** A request as a client sent it. */
type RecordedRequest = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: IncomingHttpHeaders;
};

type RecordingProxy = {
  /** The URL at which the proxy forwards to this one. */
  through(url: string): string;
  /** What has come since the last time, in order. */
  take(): readonly RecordedRequest[];
  close(): Promise<void>;
};

/** Stands between clients and a service, changes nothing, and remembers what the clients said. */
async function startRecordingProxy(serviceUrl: string): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { url = '', method = 'GET', headers } = incoming;
    const body = await text(incoming);
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
    requests.push({ ...JSON.parse(body), headers });
    const answer = await fetch(new URL(url, serviceUrl), { method, body, headers: kept as Record<string, string> });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    through: (url) => `${origin}${new URL(url).pathname}`,
    take: () => requests.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
