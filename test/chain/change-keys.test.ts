import { type Address, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { type NodeProcess, prepareNodeProcess } from '../support/command-line/node-process.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, type Wish, withAnswer } from '../support/service/chain-sponsorship.ts';

const signersAbi = parseAbi(['function addSigner(address _signer)', 'function removeSigner(address _signer)']);

let service: NodeProcess;
let oldSigner: Address;
let management: ManagementClient;
const paymasters = new Map<EntryPointVersion, DevPaymaster>();

beforeAll(async () => {
  service = await prepareNodeProcess(1);
  oldSigner = service.signer;
  const node = await service.start();
  const { core, close } = connectCore({ address: node.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'signers' }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' }));
  close();
  management = createManagementClient({ baseUrl: node.url, authToken });
  for (const version of tabledEntryPoints) {
    const parts = { devnet: service.devnet, management, gatewayUrl: node.url };
    paymasters.set(version, await registerPaymaster(parts, version, deriveDevKey(1)));
  }
  await service.devnet.client.mine({ blocks: 1 });
}, 120_000);
afterAll(() => service.close());

/** Has the owner of every paymaster contract, who is their first signer, change who signs for it. */
async function asOwner(functionName: 'addSigner' | 'removeSigner', signer: Address): Promise<void> {
  const { client, paymasterContracts } = service.devnet;
  await client.setBalance({ address: oldSigner, value: parseEther('1') });
  await client.impersonateAccount({ address: oldSigner });
  for (const address of Object.values(paymasterContracts)) {
    const call = { address, abi: signersAbi, functionName, args: [signer] as const };
    const hash = await client.writeContract({ account: oldSigner, chain: client.chain, ...call });
    await client.waitForTransactionReceipt({ hash });
  }
}

/** One operation that is asked for again and again, and how it is paid. */
type Lane = {
  readonly account: SmartAccount;
  readonly rpcUrl: string;
  readonly asked: DevUserOperation;
  readonly wish: Wish;
};

async function openLane(version: EntryPointVersion, inTokens: boolean): Promise<Lane> {
  const { devnet } = service;
  const paymaster = paymasters.get(version);
  const [token] = devnet.tokens;
  if (paymaster === undefined || token === undefined) throw new Error('The paymaster or the token is missing.');
  const account = newSmartAccount(version);
  const asked = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  if (inTokens) await fundWithTokens(devnet, token, { owner: asked.sender, spender: paymaster.address });
  return { account, rpcUrl: paymaster.rpcUrl, asked, wish: inTokens ? { token: token.address } : {} };
}

async function ask({ rpcUrl, asked, wish }: Lane): Promise<DevUserOperation> {
  return withAnswer(asked, signedAnswer(await askSponsorship(rpcUrl, asked, wish)));
}

/** Asks for the lane's operation until it is told to stop, and keeps whatever was not signed. */
function askAllTheTime(lane: Lane) {
  let stopped = false;
  let answers = 0;
  const failures: unknown[] = [];
  const running = (async () => {
    while (!stopped) {
      await ask(lane).then(
        () => (answers += 1),
        (cause: unknown) => failures.push(cause),
      );
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      return { answers, failures };
    },
  };
}

test('while a running service takes over a new key and forgets the old one no request fails', async () => {
  const lanes: Lane[] = [];
  for (const version of tabledEntryPoints) lanes.push(await openLane(version, false), await openLane(version, true));
  const asking = lanes.map(askAllTheTime);
  const newSigner = service.addKeystore('new');

  service.configureSigners('new', 'signer');
  const behind = service.nextLine(/Until then 0x\w{40} signs for it/);
  const taken = service.nextLine(/The signing keys of the configuration are in use/);
  service.signal('SIGUSR2');
  expect(await behind).toContain(oldSigner);
  await taken;
  for (const lane of lanes.slice(0, 2)) {
    const early = await openLane(lane.account.version, lane.wish.token !== undefined);
    expect((await land(service.devnet, early.account, await ask(early))).success).toBe(true);
  }

  const contracts = Object.keys(service.devnet.paymasterContracts).length;
  const last = service.nextLine(/The newest key now signs for the contract/, contracts);
  await asOwner('addSigner', newSigner);
  await last;

  service.configureSigners('new');
  const forgotten = service.nextLine(/The signing keys of the configuration are in use/);
  service.signal('SIGUSR2');
  await forgotten;
  await asOwner('removeSigner', oldSigner);

  for (const { answers, failures } of await Promise.all(asking.map((one) => one.stop()))) {
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  }
  for (const lane of lanes) {
    expect((await land(service.devnet, lane.account, await ask(lane))).success).toBe(true);
  }
}, 120_000);

test('keys that no contract accepts, or that cannot be opened, are not taken', async () => {
  service.addKeystore('stranger');
  for (const [name, fault] of [
    ['stranger', /does not accept 0x\w{40} as a signer/],
    ['missing', /missing\.json/],
  ] as const) {
    service.configureSigners(name);
    const said = service.nextLine(/stay unchanged/);
    service.signal('SIGUSR2');
    expect(await said).toMatch(fault);
    const lane = await openLane('0.6', false);
    expect((await land(service.devnet, lane.account, await ask(lane))).success).toBe(true);
  }
});

test('while a running service takes over a new master key and forgets the old one no request fails', async () => {
  const lanes = [await openLane('0.6', false), await openLane('0.8', true)];
  const asking = lanes.map(askAllTheTime);
  service.configureSigners('new');
  service.configureMasterKeys('second', 'master');
  const taken = service.nextLine(/The master keys of the configuration are in use/);
  const sealed = service.nextLine(/Everything is sealed with the newest master key/);
  service.signal('SIGUSR2');
  await taken;
  expect(await management.listPaymasters()).toHaveLength(tabledEntryPoints.length);
  await sealed;

  service.configureMasterKeys('second');
  const forgotten = service.nextLine(/The master keys of the configuration are in use/);
  service.signal('SIGUSR2');
  await forgotten;
  expect(await management.listPaymasters()).toHaveLength(tabledEntryPoints.length);
  for (const { answers, failures } of await Promise.all(asking.map((one) => one.stop()))) {
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  }

  service.configureMasterKeys('stranger');
  const refused = service.nextLine(/The master keys could not be read again and stay unchanged/);
  service.signal('SIGUSR2');
  expect(await refused).toContain('The master key does not match this database');
  for (const lane of lanes) {
    expect((await land(service.devnet, lane.account, await ask(lane))).success).toBe(true);
  }
}, 120_000);
