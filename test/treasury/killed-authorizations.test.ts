import { type Address, getAddress, keccak256, numberToHex } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { transfer } from '../support/relay/relay-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type KilledLab, openKilledLab, patience } from './killed-lab.ts';
import { ether, version } from './treasury-lab.ts';

const executor = privateKeyToAccount(freshKey()).address;

let lab: KilledLab;
let relay: Address;
let wallet: LocalAccount;
let apiKey: string;
let url: string;

const tank = () => readTank(lab.file('tollfree.db'), relay, wallet.address);
const coin = () => lab.devnet.client.getBalance({ address: lab.hotWallet });
const codeOf = async (address: Address) => delegateOf(await lab.devnet.client.getCode({ address }));

beforeAll(async () => {
  lab = await openKilledLab();
  const { devnet } = lab;
  relay = getAddress(devnet.entryPoints[version]);
  const bundler = { url: 'http://127.0.0.1:9', relay: { kind: 'ALTO', executors: [executor], entryPoint: version } };
  const treasury = { wallet: 'hot', maxPerDay: '20 ether', authorizations: { maxPerDay: '5 ether' } };
  lab.writeConfig('config.json', { bundler, treasury });
  lab.writeConfig('without-treasury.json', { bundler });
  const accountId = await printed('account', 'create', 'A customer');
  const authToken = await printed('auth-token', 'issue', accountId);
  url = (await lab.start()).url;
  const management = createManagementClient({ baseUrl: url, authToken });
  const lasting = { name: 'lab', chainId: devnet.chainId, version: '4.0.0' };
  const { paymasterId, ...created } = await management.createPaymaster(lasting);
  apiKey = created.apiKey;
  await management.setPolicy({ apiKey, policy: { relay: 'PREFER', allowAccountDeployment: true } });
  wallet = await walletWith(devnet, ether('100'));
  await chooseWallet({ version, paymasterId, apiKey, rpcUrl: url, management }, wallet);
  await transfer(devnet, wallet, { to: executor, value: ether('20') });
  await devnet.client.mine({ blocks: 3 });
  await vi.waitFor(() => expect(tank().funded).toBe(ether('20')), patience);
});
afterAll(() => lab.close());

async function printed(...command: readonly string[]): Promise<string> {
  const said = await runInPlace([...command, '--config', lab.file('config.json')]);
  expect(said).toMatchObject({ code: 0 });
  return said.stdout.trim();
}

/** Has a new account's delegation accepted, and kills the service as soon as it has sent the transaction, which no node takes. */
async function delegateAndKill(): Promise<Address> {
  const { devnet } = lab;
  lab.takeFromNow(false);
  const owner = privateKeyToAccount(freshKey());
  const { address, chainId, nonce, r, s, yParity } = await signDelegation(devnet, owner, devnet.simple7702Account);
  const params = [{ address, chainId, nonce, r, s, yParity }, relay, numberToHex(devnet.chainId), {}];
  // Refused until the service has read the chain.
  await vi.waitFor(async () => {
    const answer = await askRpc(`${url}/api/v1/${devnet.chainId}/${apiKey}`, 'tollfree_sendAuthorization', params);
    expect(answer).toMatchObject({ message: undefined, result: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  }, patience);
  await vi.waitFor(() => expect(lab.sent().length).toBeGreaterThan(0), patience);
  await lab.kill();
  expect(tank().held).toBeGreaterThan(0n);
  expect(await codeOf(owner.address)).toBeUndefined();
  return owner.address;
}

/** What the tank has paid once nothing is held, with the ledger of the relay exact. */
async function settled(): Promise<bigint> {
  await vi.waitFor(() => expect(tank().held).toBe(0n), patience);
  const check = await runInPlace(['ledger', 'check', '--core', `unix:${lab.file('core.sock')}`]);
  expect(check).toMatchObject({ code: 0, stderr: '' });
  return tank().settled;
}

test('an authorization lands once and is paid for once, although the service is killed before and after it lands', async () => {
  const { devnet, hotWallet } = lab;
  const before = await coin();
  const account = await delegateAndKill();
  const [first] = lab.sent();
  lab.takeFromNow(true);
  await lab.start();
  await vi.waitFor(async () => expect(await codeOf(account)).toBe(devnet.simple7702Account), patience);
  await lab.kill();
  expect(new Set(lab.sent())).toEqual(new Set([first]));
  expect(tank().settled).toBe(0n);
  url = (await lab.start()).url;
  await devnet.client.mine({ blocks: 3 });
  expect(await settled()).toBe(before - (await coin()));
  expect(await devnet.client.getTransactionCount({ address: hotWallet })).toBe(1);
});

test('one whose treasury is removed after the kill is paid for when its transaction lands, without the key', async () => {
  const { devnet } = lab;
  const [before, paid] = [await coin(), tank().settled];
  const account = await delegateAndKill();
  const [raw = '0x'] = lab.sent();
  await lab.start('without-treasury.json');
  // A node had it after all.
  expect(await devnet.client.sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw));
  await vi.waitFor(async () => expect(await codeOf(account)).toBe(devnet.simple7702Account), patience);
  await devnet.client.mine({ blocks: 3 });
  expect((await settled()) - paid).toBe(before - (await coin()));
});
