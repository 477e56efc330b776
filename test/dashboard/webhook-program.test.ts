import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerProgram } from '../../clients/dashboard/pages/webhooks/handler-program.ts';
import { newOperation, type Rpc, sponsored } from '../support/interface/rpc-calls.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { newTicketPaymaster } from '../support/service/ticket-lab.ts';

let service: RunningService;
const folder = mkdtempSync(join(tmpdir(), 'tollfree-webhook-'));
beforeAll(async () => {
  service = await startService();
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.close();
});

test('the program of the page Webhooks runs as pasted: it says yes and no by its rule, and 401 to a stranger', async () => {
  const { client: management, rpcUrl } = await newTicketPaymaster(service);
  const file = join(folder, 'webhook.mjs');
  writeFileSync(file, handlerProgram);
  // Its URL is known once it runs, and it runs with the secret.
  const { webhookId } = await management.createWebhook({ webhookUrl: 'http://127.0.0.1:9/', requestType: 'POST' });
  const { secret } = await management.readWebhookSecret({ webhookId });
  const program = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
    const webhookUrl = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}/`;
    await management.updateWebhook({ webhookId, active: true, webhookUrl });
    const ask = async (webhookData: object) => {
      const context = { ...sponsored, sponsorshipInfo: { ...sponsored.sponsorshipInfo, webhookData } };
      const params = [await newOperation(service.devnet, '0.7'), context];
      const json = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params };
      return (await sendHttp(rpcUrl, { method: 'POST', json })).json as Rpc;
    };
    expect((await ask({ user: 'u-1' })).error).toBeUndefined();
    expect((await ask({ user: 'ü-2' })).error?.data?.reason).toBe('WEBHOOK_REFUSED');
    expect(await management.testWebhook({ webhookId })).toMatchObject({ verdict: 'refused', status: 200 });
    const forged = await fetch(webhookUrl, { method: 'POST', body: '{"data":{"user":"u-1"}}' });
    expect(forged.status).toBe(401);
  } finally {
    program.kill();
  }
});
