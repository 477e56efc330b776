import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { Core } from '../../core/domain/core.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { type LocalCore, startLocalCore } from '../../core/local.ts';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { systemClock } from '../../server/system-clock.ts';
import { newOperation } from '../support/interface/rpc-calls.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { answerJson, startWebhookServer } from '../support/servers/webhook-server.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy. */
const patience = { timeout: 60_000, interval: 50 };

type Owned = DevPaymaster & { readonly accountId: string; readonly management: ManagementClient };

/** Each test begins with a core that leads, the service's own, and one that does not. */
describe.skipIf(!isOnPostgres)('of two cores at one database', () => {
  let service: RunningService;
  let other: LocalCore;
  let paymaster: Owned;

  beforeAll(async () => {
    // Long enough that nothing is taken in that no one asked for.
    const configure = (config: CoreConfig) => ({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, pollIntervalMs: 10_000 })),
    });
    service = await startService({ configure });
    other = await startSecondCore({});
    paymaster = await newPaymaster(1);
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  /** Whose wallet, of that number, has just put coin into its tank. */
  async function newPaymaster(wallet: number): Promise<Owned> {
    const { accountId, authToken } = await service.issueAccount();
    const created = await service.fundedPaymaster(authToken, '0.7', wallet);
    return { ...created, accountId, management: service.managementOf(authToken) };
  }

  async function startSecondCore(over: Partial<CoreConfig['chains'][number]>): Promise<LocalCore> {
    const chains = service.config.chains.map((chain) => ({ ...chain, ...over }));
    return startLocalCore(
      { ...service.config, chains },
      { logger: silentLogger, clock: systemClock, name: 'the other' },
    );
  }

  async function ask(core: Core, { apiKey, chainId } = paymaster) {
    const userOperation = rawUserOperation(await newOperation(service.devnet, '0.7'));
    const context = {
      mode: 'SPONSORED',
      calculateGasLimits: false,
      sponsorshipInfoGiven: true,
      smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
    };
    return core.sponsorUserOperation({ apiKey, chainId, userOperation, context });
  }

  const signed = async (core: Core, of = paymaster) => accepted(await ask(core, of));
  const reasonOf = async (core: Core, of = paymaster) => {
    const answer = await ask(core, of);
    return answer.ok ? 'signed' : answer.refusal.reason;
  };
  const partOf = async (core: Core, part: string) => (await core.status()).find((one) => one.part === part);
  const owned = ({ accountId, paymasterId } = paymaster) => ({ accountId, paymasterId });

  test('both sign, and each names the one that keeps the ledger', async () => {
    await vi.waitFor(async () => await signed(other.core), patience);
    await signed(service.core);
    const leader = `process ${process.pid}`;
    const detail = `kept by ${leader}, this process`;
    expect(await partOf(service.core, 'ledger')).toMatchObject({ ready: true, detail });
    expect(await partOf(other.core, 'ledger')).toMatchObject({ detail: `kept by ${leader}` });
    const { held } = accepted(await other.core.readGasTank(owned()));
    expect(accepted(await service.core.readGasTank(owned())).held).toBe(held);
  });

  test('the one that does not lead has the other take in a deposit that has just come', async () => {
    const second = await newPaymaster(4);
    await signed(other.core, second);
  });

  test('what is changed at one binds the other, though it decides on something at that moment', async () => {
    const second = await newPaymaster(5);
    await signed(other.core, second);
    const asked: string[] = [];
    const hook = await startWebhookServer(async (...exchange) => {
      asked.push('asked');
      // The other core has decided by the policy, and waits for this answer before it holds.
      if (asked.length === 1) {
        accepted(await service.core.setPolicy({ ...owned(second), policy: { ...defaultPolicy, maxFeePerGas: 1n } }));
      }
      return answerJson({ arePoliciesVerified: true })(...exchange);
    });
    await second.management.createWebhook({
      apiKey: second.apiKey,
      webhookUrl: hook.url,
      requestType: 'POST',
    });
    expect(await reasonOf(other.core, second)).toBe('GAS_PRICE_TOO_HIGH');
    expect(asked).toHaveLength(1);
  });

  test('one that is configured otherwise signs nothing and says what differs', async () => {
    const strange = await startSecondCore({ confirmations: 7 });
    onTestFinished(() => strange.close());
    await vi.waitFor(async () => {
      expect(await partOf(strange.core, `chain ${paymaster.chainId}`)).toMatchObject({
        ready: false,
        detail: expect.stringContaining('confirmations is 7 here and'),
      });
    }, patience);
    expect(await reasonOf(strange.core)).toBe('CHAIN_UNAVAILABLE');
    await signed(other.core);
  });
});
