import { parseEther } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { sponsor } from '../support/service/chain-sponsorship.ts';
import { type ProductionService, startProductionService } from '../support/service/production-service.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { mountSmallDisk } from '../support/store/small-disk.ts';

async function readiness({ adminUrl }: ProductionService) {
  const response = await fetch(`${adminUrl}/readyz`);
  const { parts } = (await response.json()) as { parts: readonly { part: string; ready: boolean; detail: string }[] };
  return { status: response.status, store: parts.find(({ part }) => part === 'store') };
}

/** Asks for a signature for a new sender, as any caller does: what came over HTTP. */
async function ask({ devnet }: ProductionService, { rpcUrl, version }: ProductionTank) {
  const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
  const context = {
    mode: 'SPONSORED',
    sponsorshipInfo: { webhookData: {}, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } },
  };
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'pm_sponsorUserOperation',
      params: [toRpcUserOperation(operation), context],
    }),
  });
  const { error } = (await response.json()) as { error?: { data: { reason: string }; message: string } };
  return {
    status: response.status,
    reason: error?.data.reason,
    retryAfter: response.headers.get('retry-after'),
    message: error?.message,
  };
}

/** Threat 16: the disk of the database is full, and later it is not. */
test('a full disk is said by /readyz and refused by name until there is room again', async ({ skip }) => {
  const disk = mountSmallDisk(24) ?? skip('Only root may mount a disk.');
  onTestFinished(disk.close);
  const service = await startProductionService({ databaseFolder: disk.folder });
  onTestFinished(service.close);
  const tank = await fundedTank(service, { family: '0.7', amount: parseEther('1') });
  const [first, later] = [newSmartAccount(tank.version), newSmartAccount(tank.version)];
  const next = (account: typeof first) =>
    nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
  await sponsor(tank.rpcUrl, await next(first));
  expect(await readiness(service)).toMatchObject({ status: 200 });

  disk.fill();
  // What the write-ahead log has room for is still taken.
  const refused = await vi.waitFor(
    async () => {
      const answer = await ask(service, tank);
      expect(answer.status).not.toBe(200);
      return answer;
    },
    { timeout: 120_000, interval: 10 },
  );
  expect(refused).toMatchObject({
    status: 503,
    reason: 'STORE_UNAVAILABLE',
    retryAfter: expect.stringMatching(/^[1-9]/),
  });
  expect(refused.message).toMatch(/again/);
  for (let times = 0; times < 20; times += 1) {
    expect(await ask(service, tank)).toMatchObject({ status: 503, reason: 'STORE_UNAVAILABLE' });
    expect(await readiness(service)).toMatchObject({
      status: 503,
      store: { ready: false, detail: 'the disk is full' },
    });
  }
  // Room for a row or two, and not for a hold: what little is still taken says nothing.
  for (const seconds of [4, 8, 12]) {
    disk.fill(8_192);
    service.setAhead(seconds * 1_000);
    expect(await readiness(service)).toMatchObject({ status: 503 });
    expect(await ask(service, tank)).toMatchObject({ status: 503, reason: 'STORE_UNAVAILABLE' });
  }
  const managed = await fetch(`${service.url}/paymaster`, { method: 'POST' });
  expect(managed.status).not.toBe(500);

  disk.clear();
  await vi.waitFor(async () => expect(await readiness(service)).toMatchObject({ status: 200 }), { timeout: 60_000 });
  await sponsor(tank.rpcUrl, await next(later));
}, 300_000);
