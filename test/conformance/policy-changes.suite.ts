import { beforeEach, describe, expect, test } from 'vitest';
import { callRpc, newOperation, refusalOf, resultOf, sponsored } from '../support/interface/rpc-calls.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import type { RpcBench } from './rpc-bench.ts';

/** A change through the management interface is seen by the next request, also right after a sponsorship. */
export function describePolicyChanges({ service }: RpcBench): void {
  let headers: Readonly<Record<string, string>>;
  let rpcUrl: string;
  let operation: unknown;
  beforeEach(async () => {
    const { authToken } = await service().issueAccount();
    const paymaster = await service().fundedPaymaster(authToken, '0.7');
    headers = { authToken, apiKey: paymaster.apiKey };
    rpcUrl = paymaster.rpcUrl;
    operation = await newOperation(service().devnet, '0.7');
    resultOf(await sponsor());
  });
  const sponsor = () => callRpc(rpcUrl, [operation, sponsored]);
  const change = async (method: string, path: string, json: object) =>
    dataOf(await callManagement(service(), method, path, { headers, json }));
  const address = () => service().devnet.target.address;

  describe('decision 4: a changed policy takes effect at once', () => {
    test('a contract that was just deleted is not sponsored any more, registered again it is', async () => {
      await change('DELETE', '/smart-contract', { address: address() });
      expect(refusalOf(await sponsor())).toEqual([422, -32013, 'NO_POLICIES']);
      const abi = JSON.stringify(service().devnet.target.abi);
      await change('POST', '/smart-contract', {
        name: 'again',
        address: address(),
        abi,
        whitelistedMethods: ['increment'],
      });
      resultOf(await sponsor());
    });

    test('a method that was just taken off the whitelist is not sponsored any more, put back it is', async () => {
      await change('PATCH', '/smart-contract', { address: address(), whitelistedMethods: ['record'] });
      expect(refusalOf(await sponsor())).toEqual([422, -32013, 'METHOD_NOT_WHITELISTED']);
      await change('PATCH', '/smart-contract', { address: address(), whitelistedMethods: ['increment()'] });
      resultOf(await sponsor());
    });

    test('a webhook is asked from the moment it is created, activated or deactivated, until it is deleted', async () => {
      const hook = await startWebhookServer(approve);
      const body = { webhookUrl: hook.url, requestType: 'POST' };
      const { webhookId } = (await change('POST', '/webhook', body)) as { webhookId: string };
      const asked: number[] = [];
      const sponsorAndCount = async () => {
        resultOf(await sponsor());
        asked.push(hook.received.length);
      };
      await sponsorAndCount();
      await change('PATCH', '/webhook', { webhookId, active: false });
      await sponsorAndCount();
      await change('PATCH', '/webhook', { webhookId, active: true });
      await sponsorAndCount();
      await change('DELETE', '/webhook', { webhookId });
      await sponsorAndCount();
      expect(asked).toEqual([1, 1, 2, 2]);
    });
  });
}
