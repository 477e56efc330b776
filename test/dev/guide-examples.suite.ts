import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { createPublicClient, http, parseAbi } from 'viem';
import { createBundlerClient, entryPoint08Address } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { describe, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import type { DevFile } from '../../server/dev/dev-file.ts';

const folder = join(import.meta.dirname, '../../docs/examples');

/** The programs of the guides, each run against the running service. */
export function guideExamplesSuite(
  running: () => { readonly dev: DevFile; readonly env: Readonly<Record<string, string>> },
) {
  /** The paymaster of EntryPoint 0.8, whose URL `dev.env` names. */
  function open() {
    const { dev } = running();
    const paymaster = dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === '0.8');
    if (paymaster === undefined) throw new Error('There is no paymaster of EntryPoint 0.8.');
    const { gatewayUrl: baseUrl, authToken } = dev;
    return { ...paymaster, management: createManagementClient({ baseUrl, authToken, apiKey: paymaster.apiKey }) };
  }

  async function load(file: string, variables: Readonly<Record<string, string>>, run: string): Promise<unknown> {
    for (const [key, value] of Object.entries({ ...running().env, ...variables })) vi.stubEnv(key, value);
    try {
      return await import(`${join(folder, file)}?run=${run}`);
    } finally {
      vi.unstubAllEnvs();
    }
  }

  async function printedBy(file: string, variables: Readonly<Record<string, string>>, run: string): Promise<string> {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      await load(file, variables, run);
      return log.mock.calls.map((parts) => parts.join(' ')).join('\n');
    } finally {
      log.mockRestore();
    }
  }

  describe('the examples of the guides', () => {
    test('tickets: a signed-in user’s operation lands, one without a session is refused, a ticket is good for one use', async () => {
      const { management, paymasterId } = open();
      const { secret, ticketKeyId } = await management.createTicketKey({ paymasterId, name: 'backend', kind: 'ES256' });
      await management.setPolicy({ policy: { requireTicket: true } });
      const variables = { TICKET_KEY: JSON.stringify(secret), PAYMASTER_ID: paymasterId, PORT: '0' };
      const { backend } = (await load(
        'tickets/backend.ts',
        variables,
        'once',
      )) as typeof import('../../docs/examples/tickets/backend.ts');
      try {
        if (!backend.listening) await once(backend, 'listening');
        const { port } = backend.address() as AddressInfo;
        const page = { BACKEND_URL: `http://127.0.0.1:${port}`, SESSION_COOKIE: 'session=demo-session' };
        expect(await printedBy('tickets/page.ts', page, 'signed in')).toMatch(/^landed 0x\w{64}$/);
        const { decisions } = await management.listDecisions({ outcome: 'signed', limit: 1 });
        expect(decisions[0]?.facts).toMatchObject({ subject: expect.any(String) });
        const stranger = { ...page, SESSION_COOKIE: 'session=another' };
        expect(await printedBy('tickets/page.ts', stranger, 'signed out')).toMatch(/^refused: .*ticket/i);
        // The ticket covers one operation, and the user pays for the next one.
        const both = 'landed paid by the application\nlanded paid by the user';
        expect(await printedBy('tickets/beyond-ticket.ts', page, 'beyond')).toBe(both);
        // One more is free for this user, and the next one is paid.
        const limits = [{ per: 'SUBJECT', window: 'EVER', unit: 'OPERATIONS', max: '1' }] as const;
        await management.setPolicy({ policy: { requireTicket: true, thenPayInToken: true, limits: [...limits] } });
        for (const [run, payer] of [
          ['free', 'application'],
          ['paid', 'user'],
        ] as const) {
          expect(await printedBy('tickets/free-then-paid.ts', page, run)).toBe(`landed paid by the ${payer}`);
        }
      } finally {
        backend.close();
        await management.setPolicy({ policy: {} });
        await management.deleteTicketKey({ paymasterId, ticketKeyId });
      }
    });

    test('webhook: verifies what the service sends, decides by webhookData, and answers 401 to anything else', async () => {
      const { management, rpcUrl } = open();
      const { dev, env } = running();
      let handler: typeof import('../../docs/examples/webhook/handler.ts') | undefined;
      const server = createServer(async (incoming, response) => {
        const headers = new Headers(incoming.headers as Record<string, string>);
        const request = new Request('http://handler.test/', { method: 'POST', headers, body: await text(incoming) });
        const answer = await handler?.POST(request);
        response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' }).end(await answer?.text());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { webhookId } = await management.createWebhook({ webhookUrl, requestType: 'POST' });
      const { secret } = await management.readWebhookSecret({ webhookId });
      handler = (await load('webhook/handler.ts', { WEBHOOK_SECRET: secret }, 'once')) as typeof handler;

      const client = createPublicClient({ chain: foundry, transport: http(dev.chain.rpcUrl) });
      const owner = privateKeyToAccount(generatePrivateKey());
      const entryPoint = { address: entryPoint08Address, version: '0.8' } as const;
      const account = await toSimpleSmartAccount({ client, owner, entryPoint });
      const send = (user: string) =>
        createBundlerClient({
          account,
          client,
          transport: http(env.BUNDLER_URL),
          paymaster: createPaymaster(createSponsorClient({ url: rpcUrl }), {
            paymasterContext: { sponsorshipInfo: { webhookData: { user } } },
          }),
        }).sendUserOperation({
          calls: [{ to: dev.chain.target, abi: parseAbi(['function increment()']), functionName: 'increment' }],
        });
      try {
        expect(await send('u-1')).toMatch(/^0x\w{64}$/);
        await expect(send('u-2')).rejects.toMatchObject({ reason: 'WEBHOOK_REFUSED' });
        const forged = { method: 'POST', body: '{"data":{"user":"u-1"}}' };
        expect((await fetch(webhookUrl, forged)).status).toBe(401);
        const { answers } = await management.listWebhookAnswers({ webhookId });
        expect(answers.length).toBeGreaterThanOrEqual(2);
      } finally {
        await management.deleteWebhook({ webhookId });
        server.close();
      }
    });
  });
}
