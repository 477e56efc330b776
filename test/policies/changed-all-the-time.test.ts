import { expect, onTestFinished, test } from 'vitest';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { accepted } from '../../server/accepted.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { startWebhookServer } from '../support/servers/webhook-server.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { startService } from '../support/service/running-service.ts';

/** So often a request is decided before it is refused. */
const decided = 6;

test.each([
  [
    'as often as it is asked about is refused, and to be tried again',
    Number.POSITIVE_INFINITY,
    decided,
    'RATE_LIMITED',
  ],
  ['all but the last time is decided by the last one', decided - 1, decided, undefined],
])('a request whose policy is changed %s', async (_, changes, asked, reason) => {
  const service = await startService();
  onTestFinished(() => service.close());
  const { accountId, authToken } = await service.issueAccount();
  const { apiKey, paymasterId, rpcUrl } = await service.fundedPaymaster(authToken, '0.7');
  const owned = { accountId, paymasterId };
  // Who decides is who changes it, between the question and the hold.
  const hook = await startWebhookServer(async (response) => {
    if (hook.received.length <= changes) await service.core.setPolicy({ ...owned, policy: defaultPolicy });
    response.end('{"arePoliciesVerified":true}');
  });
  const webhook = { apiKey, webhookUrl: hook.url, requestType: 'POST' } as const;
  await service.managementOf(authToken).createWebhook(webhook);

  const operation = await nextOperation(service.devnet, newSmartAccount('0.7'), [
    targetCall(service.devnet, 'increment'),
  ]);
  const answer = await askSponsorship(rpcUrl, operation);
  expect(hook.received).toHaveLength(asked);
  expect(answer.reason).toBe(reason);
  const { held } = accepted(await service.core.readGasTank(owned));
  expect(held > 0n).toBe(reason === undefined);
  const { decisions } = accepted(await service.core.listDecisions({ ...owned, filter: {}, limit: 5 }));
  expect(decisions).toMatchObject([{ outcome: reason === undefined ? 'signed' : 'refused' }]);
  const refused = decisions.flatMap(({ trace }) => trace.filter(({ verdict }) => verdict === 'refused'));
  expect(refused).toMatchObject(
    reason === undefined ? [] : [{ rule: 'policy', remedy: expect.stringMatching(/^Try again shortly/) }],
  );
});
