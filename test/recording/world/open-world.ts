import { type Address, concat, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import type { Core } from '../../../core/domain/core.ts';
import { type LocalCore, startLocalCore } from '../../../core/local.ts';
import { create2Deployer, paymasterDeployment } from '../../../server/dev/devnet/deployments.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { silentLogger } from '../../support/logging/recording-logger.ts';
import { type ChainTime, createChainTime } from './chain-time.ts';
import { coreConfigOf, type Setting } from './core-config.ts';
import { createHandClock, type HandClock } from './hand-clock.ts';
import { accountOf } from './keys.ts';
import { type NodeRelay, startNodeRelay } from './node-relay.ts';
import { type RelayBundler, startRelayBundler } from './relay-bundler.ts';
import { type RemoteSigner, startRemoteSigner } from './remote-signer.ts';
import { startVendor, type Vendor } from './vendor.ts';
import { startWebhookStandIn, type WebhookStandIn } from './webhooks.ts';

/** Noon of 2 January 2030, a Wednesday: after every clock that a recording can be made at, so that chains begin at one time. */
const startTime = 1_893_585_600;

/** The service in this process with its own chain, and the other parties, all at the time of one clock. */
export type World = {
  readonly devnet: Devnet;
  readonly clock: HandClock;
  readonly time: ChainTime;
  readonly node: NodeRelay;
  readonly signer: RemoteSigner;
  readonly bundler: RelayBundler;
  readonly vendor: Vendor;
  readonly webhooks: WebhookStandIn;
  core(): Core;
  /** Stops the service and starts it again on the same database. */
  restart(setting: Setting): Promise<void>;
  /** Until the ledger contains all that is on the chain. */
  follow(): Promise<void>;
  close(): Promise<void>;
};

/** Coin of everyone who sends transactions. */
const plenty = parseEther('100000');
const senders = ['executor', 'bundler', 'wallet 0', 'wallet 1', 'wallet 2', 'wallet 3'];

export async function openWorld(database: DatabaseAddress, setting: Setting): Promise<World> {
  const clock = createHandClock(startTime);
  const devnet = await startDevnet({ port: 0, paymasterSigner: accountOf('signer').address });
  const vendorContract = await deployVendorContract(devnet);
  for (const name of senders) {
    await devnet.client.setBalance({ address: accountOf(name).address, value: plenty });
  }
  const time = createChainTime(devnet, clock);
  // The ledger of the relay begins with a block before which nothing happened.
  await time.mine(2);
  const startBlock = await devnet.client.getBlockNumber();
  const [node, signer, bundler, webhooks] = await Promise.all([
    startNodeRelay(devnet.rpcUrl),
    startRemoteSigner(accountOf('signer')),
    startRelayBundler(devnet, '0.8'),
    startWebhookStandIn(),
  ]);
  const parts = { signer: accountOf('vendor signer'), fundingWallet: accountOf('vendor wallet').address, clock };
  const vendor = await startVendor(devnet, { ...parts, address: vendorContract });
  const parties = {
    devnet,
    startBlock,
    database,
    vendor,
    nodeUrl: node.url,
    signerUrl: signer.url,
    bundlerUrl: bundler.url,
    webhookUrl: webhooks.url,
  };
  let { confirmations = 0 } = setting;
  let local = await startCore(setting);

  async function startCore(next: Setting): Promise<LocalCore> {
    const started = await startLocalCore(coreConfigOf(parties, next), {
      logger: silentLogger,
      clock,
      timers: clock.timers,
    });
    ({ confirmations = 0 } = next);
    await follow(started.core, devnet, confirmations);
    return started;
  }

  return {
    devnet,
    clock,
    time,
    node,
    signer,
    bundler,
    vendor,
    webhooks,
    core: () => local.core,
    restart: async (next) => {
      await local.close();
      local = await startCore(next);
    },
    // What a failing node does not say cannot be in the ledger.
    follow: () => (node.isFailing() ? Promise.resolve() : follow(local.core, devnet, confirmations)),
    close: async () => {
      await local.close();
      await Promise.all([node, signer, bundler, vendor, webhooks].map((party) => party.close()));
      await devnet.close();
    },
  };
}

/** The other paymaster's contract, of the family of our own one for EntryPoint 0.7. */
async function deployVendorContract({ client }: Devnet): Promise<Address> {
  const { address, salt, creationCode } = await paymasterDeployment('0.7', accountOf('vendor signer').address);
  const data = concat([salt, creationCode]);
  const description = 'the contract of the other paymaster';
  await sendInOrder(client, privateKeyToAccount(deriveDevKey(0)), [{ description, to: create2Deployer, data }]);
  return address;
}

/** A number that no hold has: the question only makes the service read the chain. */
const noHold = 2 ** 40;
const maxLooks = 200;

/** Has the service read the chain until its ledger is at the newest block that is confirmed. */
async function follow(core: Core, { client, chainId }: Devnet, confirmations: number): Promise<void> {
  const head = (await client.getBlockNumber({ cacheTime: 0 })) - BigInt(confirmations);
  for (let looks = 0; looks < maxLooks; looks += 1) {
    await core.releaseHold({ chainId, holdId: noHold, reason: 'the recording follows the chain' });
    const states = await core.readLedgerStates();
    if (states.ok && states.value.every(({ atBlock }) => atBlock >= head)) return;
  }
  throw new Error(`The ledger did not reach block ${head}.`);
}
