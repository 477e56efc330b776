import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, http } from 'viem';
import type { UserOperationReceipt } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { defaultPolicy } from '../../../core/domain/policy.ts';
import { accepted } from '../../../server/accepted.ts';
import type { DevPaymaster } from '../../../server/dev/dev-file.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { depositOf, incrementsOf } from '../chain/chain-lab.ts';
import { recordLanding } from '../chain/landings.ts';
import type { LandingClient } from '../chain/landings-table.ts';
import { startTestBundler, type TestBundler } from '../chain/test-bundler.ts';
import { freshKey, type RunningService, type ServiceOptions, startService } from './running-service.ts';

/** A running service with a funded paymaster for every EntryPoint, and a bundler next to it. */
export type ClientLab = {
  readonly service: RunningService;
  readonly devnet: Devnet;
  readonly bundler: TestBundler;
  readonly authToken: string;
  paymaster(version: EntryPointVersion): DevPaymaster;
  /** A policy of that paymaster that allows what its default one does. */
  policyId(version: EntryPointVersion): string;
  close(): Promise<void>;
};

export async function openClientLab(
  options: Pick<ServiceOptions, 'devnet' | 'handle' | 'configure'> = {},
): Promise<ClientLab> {
  const service = await startService(options);
  const { devnet } = service;
  const { accountId, authToken } = await service.issueAccount();
  const paymasters = new Map<EntryPointVersion, DevPaymaster & { readonly policyId: string }>();
  for (const [index, version] of entryPointVersions.entries()) {
    const paymaster = await service.fundedPaymaster(authToken, version, index + 1);
    const owned = { accountId, paymasterId: paymaster.paymasterId };
    const head = { name: 'Clients', enabled: true };
    const { policyId } = accepted(await service.core.createPolicy({ ...owned, head, policy: defaultPolicy }));
    paymasters.set(version, { ...paymaster, policyId });
  }
  const [chain] = service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  const bundler = await startTestBundler(devnet, chain);
  const find = (version: EntryPointVersion) => {
    const paymaster = paymasters.get(version);
    if (paymaster === undefined) throw new Error(`There is no paymaster for EntryPoint ${version}.`);
    return paymaster;
  };
  return {
    service,
    devnet,
    bundler,
    authToken,
    paymaster: find,
    policyId: (version) => find(version).policyId,
    close: async () => {
      await bundler.close();
      await service.close();
    },
  };
}

/** A client for the chain that is typed as any client of viem is. */
export function chainClient({ chainId, client, rpcUrl }: Devnet) {
  if (client.chain.id !== chainId) throw new Error('The client is of another chain.');
  // viem's own waiting looks once a block, and misses what was mined a moment later.
  const { waitForTransactionReceipt } = client;
  return createPublicClient({ chain: client.chain, transport: http(rpcUrl), pollingInterval: 20 }).extend(() => ({
    waitForTransactionReceipt,
  }));
}

/**
 * A new SimpleAccount as permissionless makes it; on chain from its first operation on. permissionless knows nothing of EntryPoint 0.9
 * and takes it for a 0.8 at another address: accounts, operations and hashes are the same as long as no signature trails.
 */
export function simpleAccount<version extends EntryPointVersion>(
  devnet: Devnet,
  version: version,
  owner = privateKeyToAccount(freshKey()),
) {
  return toSimpleSmartAccount({
    client: chainClient(devnet),
    owner,
    entryPoint: { address: devnet.entryPoints[version], version: (version === '0.9' ? '0.8' : version) as version },
    factoryAddress: devnet.accountFactories[version],
  });
}

/**
 * Sends a sponsored operation with one `increment` and checks on the chain: it succeeded, the target was called once, the
 * account paid nothing, and the paymaster's deposit fell by exactly the operation's cost. Notes it in the table of the run
 * as one of `client`.
 */
export async function expectSponsored(
  lab: ClientLab,
  version: EntryPointVersion,
  sender: Address,
  client: LandingClient,
  send: () => Promise<UserOperationReceipt>,
): Promise<void> {
  const { address } = lab.paymaster(version);
  const read = async () => ({
    deposit: await depositOf(lab.devnet, version, address),
    increments: await incrementsOf(lab.devnet, sender),
    coin: await lab.devnet.client.getBalance({ address: sender }),
  });
  const before = await read();
  const receipt = await send();
  const after = await read();
  expect(receipt.success).toBe(true);
  expect(before.deposit - after.deposit).toBe(receipt.actualGasCost);
  expect(after.increments - before.increments).toBe(1n);
  expect([before.coin, after.coin]).toStrictEqual([0n, 0n]);
  await recordLanding(lab.devnet, {
    client,
    family: devnetFamilies[version],
    entryPoint: version,
    mode: 'SPONSORED',
    outcome: { ...receipt, transactionHash: receipt.receipt.transactionHash },
    calls: { made: 1n, arrived: after.increments - before.increments },
    depositFell: before.deposit - after.deposit,
    tokens: { paid: 0n, quoted: 0n },
  });
}
