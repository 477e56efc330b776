import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { newTenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { answerJson, startWebhookServer } from '../support/servers/webhook-server.ts';
import { readText, startHttpDouble } from './http-double.ts';

const service = useService();
const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

let authToken: string;
let apiKey: string;
let client: ManagementClient;
let folder: string;

beforeAll(async () => {
  ({ authToken, apiKey } = await newTenant(service()));
  client = createManagementClient({ baseUrl: service().url, authToken, apiKey });
  folder = mkdtempSync(join(tmpdir(), 'tollfree-stale-'));
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ allowAccountDeployment: true }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The service at another address, where a colleague makes a change after each answer to a read. */
function startBesideColleague(change: () => Promise<unknown>): Promise<string> {
  return startHttpDouble(async (request, response) => {
    const body = await readText(request);
    const { host: _, connection: __, 'content-length': ___, ...sent } = request.headers;
    const answer = await fetch(`${service().url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: sent as Record<string, string>,
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (request.method === 'GET') await change();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(text);
  });
}

async function runBesideColleague(change: () => Promise<unknown>, ...args: string[]) {
  const env = {
    TOLLFREE_URL: await startBesideColleague(change),
    TOLLFREE_AUTH_TOKEN: authToken,
    TOLLFREE_API_KEY: apiKey,
  };
  return runInPlace(args, { cwd: folder, env });
}

const stale = { code: 1, stdout: '', stderr: expect.stringContaining('changed') };

test('policy set does not undo what a colleague sets at the same time', async () => {
  const change = () => client.setPolicy({ policy: { maxFeePerGas: '7' } });
  expect(await runBesideColleague(change, 'policy', 'set', 'policy.json')).toMatchObject(stale);
  expect(await client.readPolicy()).toMatchObject({ maxFeePerGas: '7', allowAccountDeployment: false });
});

test('contract update does not undo what a colleague whitelists at the same time', async () => {
  const abi = JSON.stringify(parseAbi(['function move()', 'function stop()']));
  await client.registerSmartContract({ name: 'walker', address, abi, whitelistedMethods: [] });
  const change = () => client.updateSmartContract({ address, whitelistedMethods: ['stop'] });
  const update = ['contract', 'update', address.toLowerCase(), '--whitelist', 'move'];
  expect(await runBesideColleague(change, ...update)).toMatchObject(stale);
  expect(await client.listSmartContracts()).toMatchObject([{ whitelistedMethods: ['stop'] }]);
});

test('notification update does not undo what a colleague changes at the same time', async () => {
  const { url } = await startWebhookServer(answerJson({}));
  const { notificationId } = await client.createNotification({ url, events: ['operation.failed'] });
  const change = () => client.updateNotification({ notificationId, events: ['webhook.failing'] });
  const update = ['notification', 'update', notificationId, '--events', 'operation.dropped'];
  expect(await runBesideColleague(change, ...update)).toMatchObject(stale);
  expect(await client.listNotifications()).toMatchObject([{ events: ['webhook.failing'] }]);
});
