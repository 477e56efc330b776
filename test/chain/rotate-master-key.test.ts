import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { createManagement } from '../../core/management/create-management.ts';
import { createSponsorProfiles } from '../../core/paymasters/sponsor-profiles.ts';
import { adoptMasterKey } from '../../core/store/master-keys/adopt-master-key.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { fillTank, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { accepted, testConfig } from '../support/core/start-management.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollfree-rotation-'));
const databaseFile = join(folder, 'tollfree.db');
const chainId = 31_337;
const version = '2.0.0';
const first = new Secret<Uint8Array>(new Uint8Array(32).fill(1));
const second = new Secret<Uint8Array>(new Uint8Array(32).fill(2));
const wallet = privateKeyToAccount(freshKey());

let service: RunningService | undefined;
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** What the service kept under its first master key: some hundred paymasters, one of them with a funding wallet. */
async function keepUnderFirstKey(): Promise<{ apiKey: string; authToken: string }> {
  const store = await openSqliteStore(databaseFile);
  const config: CoreConfig = { ...testConfig({ kind: 'sqlite', file: databaseFile }), masterKey: first };
  await adoptMasterKey(store, config);
  const [chain] = config.chains;
  const management = createManagement({
    store,
    profiles: createSponsorProfiles({ store, clock: Date, masterKey: first }),
    config: { ...config, chains: chain === undefined ? [] : [{ ...chain, chainId }] },
    clock: Date,
    coinPrice: async () => undefined,
  });
  const { accountId } = accepted(await management.createAccount({ name: 'rotation' }));
  const { authToken } = accepted(await management.createAuthToken({ accountId, name: 'test' }));
  const create = async (name: string) =>
    accepted(await management.createPaymaster({ accountId, name, type: 'HYBRID', chainId, version }));
  for (let number = 0; number < 300; number += 1) await create(`paymaster ${number}`);
  const { paymasterId, apiKey } = await create('asked');
  const owned = { accountId, paymasterId };
  accepted(
    await management.setPolicy({
      ...owned,
      policy: { ...accepted(await management.readPolicy(owned)), sponsorAllCalls: true },
    }),
  );
  const { fundingMessage } = accepted(await management.createFundingMessage(owned));
  const signature = await wallet.signMessage({ message: fundingMessage });
  accepted(await management.setFundingWallet({ ...owned, signature, address: wallet.address }));
  await store.close();
  return { apiKey, authToken };
}

test('while everything is sealed under a new master key no request is refused, and then the old key can go', async () => {
  const { apiKey, authToken } = await keepUnderFirstKey();
  let tellSealed: () => void = () => undefined;
  const sealed = new Promise<void>((resolve) => {
    tellSealed = resolve;
  });
  const info = (_: object, message: string) => (/^Everything is sealed/.test(message) ? tellSealed() : undefined);
  const running = await startService({
    logger: { ...silentLogger, info },
    configure: (config) => ({
      ...config,
      database: { kind: 'sqlite', file: databaseFile },
      masterKey: second,
      previousMasterKeys: [first],
    }),
  });
  service = running;
  const { devnet } = running;
  await fillTank(devnet, '0.7', wallet, parseEther('10'));

  let isSealed = false;
  const lanes = Array.from({ length: 4 }, async () => {
    const operation = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
    for (let asked = 0; asked === 0 || !isSealed; asked += 1) {
      expect(await askSponsorship(running.rpcUrl(apiKey), operation)).toMatchObject({ httpStatus: 200 });
      expect(await running.managementOf(authToken).listPaymasters()).toHaveLength(301);
    }
  });
  await sealed;
  isSealed = true;
  await Promise.all(lanes);

  await running.close();
  service = undefined;
  const store = await openSqliteStore(databaseFile);
  expect(await adoptMasterKey(store, { masterKey: second })).toBe(false);
  expect((await createSponsorProfiles({ store, clock: Date, masterKey: second }).find(apiKey))?.paymaster.name).toBe(
    'asked',
  );
  await store.close();
});
