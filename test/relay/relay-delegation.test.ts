import { type Address, getAddress, type Hex, numberToHex, parseEther, type SignedAuthorization } from 'viem';
import { type LocalAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { delegateOf, delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { accepted } from '../../server/accepted.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { delegationHash, delegationOnWire, signedDelegation } from '../support/relay/delegation-lab.ts';
import { bundleData, costOf, newExecutor, transfer } from '../support/relay/relay-lab.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';

let service: RunningService;
let devnet: Devnet;
/** A bundler that takes everything; the test sends the bundles with its wallet. */
let bundler: RpcServer;
let expected: Hex;
let executor: LocalAccount;
let relay: Address;
let paymaster: LabPaymaster;
let wallet: LocalAccount;

beforeAll(async () => {
  bundler = await startRpcServer(({ id }, response) => respond(response, { jsonrpc: '2.0', id, result: expected }));
  service = await startService({
    configure: async (config, chain) => {
      executor = await newExecutor(chain);
      const relayed = { kind: 'ALTO', url: bundler.url, executors: [executor.address], entryPoint: version } as const;
      return { ...config, chains: config.chains.map((one) => ({ ...one, relay: relayed })) };
    },
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  wallet = await walletWith(devnet, parseEther('100'));
  paymaster = await openPaymaster(service, version);
  await chooseWallet(paymaster, wallet);
  await setPolicy({ allowAccountDeployment: true });
  await transfer(devnet, wallet, { to: executor.address, value: parseEther('20') });
  await vi.waitFor(() => expect(tank().funded).toBe(parseEther('20')), 20_000);
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

const tank = () => readTank(service.config.database, relay, wallet.address);
const lastHold = () => readHolds(service.config.database, relay, wallet.address).at(-1);
const setPolicy = (policy: object) =>
  paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER', ...policy } });
const newOwner = () => privateKeyToAccount(freshKey());
const delegateOfAccount = async (account: Address) => delegateOf(await devnet.client.getCode({ address: account }));

async function relayed(operation: DevUserOperation, authorization: SignedAuthorization) {
  expected = delegationHash(devnet, operation, authorization.address);
  const params = [delegationOnWire(operation, authorization), relay, numberToHex(devnet.chainId), {}];
  return askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', params);
}

const delegation = (owner: PrivateKeyAccount, delegate: Address) => signedDelegation(devnet, owner, delegate);

/** The executor's bundle, a transaction of type 4. */
async function bundle(operation: DevUserOperation, authorization: SignedAuthorization) {
  const hash = await devnet.client.sendTransaction({
    account: executor,
    chain: devnet.client.chain,
    to: relay,
    data: bundleData([operation], executor.address),
    gas: 1_000_000n,
    authorizationList: [authorization],
  });
  return devnet.client.waitForTransactionReceipt({ hash });
}

/** What the tank paid once its holds had ended, with the ledger exact. */
async function charged(before: bigint): Promise<bigint> {
  await vi.waitFor(() => expect(tank().held).toBe(0n), 20_000);
  const reports = accepted(await service.core.checkLedger({ allRows: true }));
  const own = reports.find(({ contract }) => contract === relay);
  expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [] });
  return tank().settled - before;
}

describe('a delegation that is relayed', () => {
  test('gives the account its code, and the tank pays the transaction to the wei', async () => {
    const { settled } = tank();
    const owner = newOwner();
    const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
    const operation = await delegation(owner, devnet.simple7702Account);
    const answer = await relayed(operation, authorization);
    expect(answer.message).toBeUndefined();
    expect(answer.result).toBe(expected);
    const held = lastHold();
    const receipt = await bundle(operation, authorization);
    expect(receipt.status).toBe('success');
    expect(await delegateOfAccount(owner.address)).toBe(devnet.simple7702Account);
    expect(await charged(settled)).toBe(costOf(receipt));
    expect(costOf(receipt)).toBeLessThanOrEqual(held?.amount ?? 0n);
    // The same again: its nonce is used up.
    expect((await relayed(operation, authorization)).message).toBeDefined();
    expect(tank().held).toBe(0n);
  });

  test('is held no more than once if it is sent again before it lands', async () => {
    const owner = newOwner();
    const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
    const operation = await delegation(owner, devnet.simple7702Account);
    expect((await relayed(operation, authorization)).message).toBeUndefined();
    const { held, settled } = tank();
    expect((await relayed(operation, authorization)).message).toBeUndefined();
    expect(tank().held).toBe(held);
    const receipt = await bundle(operation, authorization);
    expect(await charged(settled)).toBe(costOf(receipt));
  });

  test('lands as well if a stranger puts its authorization on chain first, for no more than was held', async () => {
    const { settled } = tank();
    const owner = newOwner();
    const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
    const operation = await delegation(owner, devnet.simple7702Account);
    expect((await relayed(operation, authorization)).message).toBeUndefined();
    const held = lastHold();
    const stranger = await walletWith(devnet, parseEther('1'));
    const hash = await devnet.client.sendTransaction({
      account: stranger,
      chain: devnet.client.chain,
      to: stranger.address,
      gas: 200_000n,
      authorizationList: [authorization],
    });
    await devnet.client.waitForTransactionReceipt({ hash });
    const receipt = await bundle(operation, authorization);
    expect(receipt.status).toBe('success');
    expect(await charged(settled)).toBe(costOf(receipt));
    expect(costOf(receipt)).toBeLessThanOrEqual(held?.amount ?? 0n);
  });

  test('costs the tank nothing if the account uses its nonce before, so that the authorization is void', async () => {
    const { settled } = tank();
    const owner = newOwner();
    await devnet.client.setBalance({ address: owner.address, value: parseEther('1') });
    const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
    const operation = await delegation(owner, devnet.simple7702Account);
    expect((await relayed(operation, authorization)).message).toBeUndefined();
    await transfer(devnet, owner, { to: wallet.address, value: 1n });
    const failed = await bundle(operation, authorization);
    expect(failed.status).toBe('reverted');
    expect(await delegateOfAccount(owner.address)).toBeUndefined();
    expect(tank().settled).toBe(settled);
    // The account may still delegate, with its next nonce: the operation lands then, and is paid for once.
    const next = await signDelegation(devnet, owner, devnet.simple7702Account);
    const receipt = await bundle(operation, next);
    expect(await charged(settled)).toBe(costOf(receipt));
  });
});

describe('nothing is held for a delegation', () => {
  /** What is said to an operation of a new owner. */
  async function refusal(change: (owner: PrivateKeyAccount) => Promise<SignedAuthorization>): Promise<string> {
    const owner = newOwner();
    const before = tank().held;
    const authorization = await change(owner);
    const { message = '' } = await relayed(await delegation(owner, authorization.address), authorization);
    expect(tank().held).toBe(before);
    return message;
  }
  const known = () => devnet.simple7702Account;

  test('of another chain', async () => {
    expect(await refusal((owner) => signDelegation(devnet, owner, known(), { chainId: 1 }))).toMatch(/chainId must be/);
  });

  test('with another nonce than that of the account', async () => {
    expect(await refusal((owner) => signDelegation(devnet, owner, known(), { nonce: 7 }))).toMatch(/nonce must be 0/);
  });

  test('that someone else signed', async () => {
    expect(await refusal(() => signDelegation(devnet, newOwner(), known()))).toMatch(/must be signed by the sender/);
  });

  test('whose signature has a high s, which the chain leaves aside', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const message = await refusal(async (owner) => {
      const signed = await signDelegation(devnet, owner, known());
      const flipped = numberToHex(order - BigInt(signed.s), { size: 32 });
      return { ...signed, s: flipped, yParity: signed.yParity === 0 ? 1 : 0 } as SignedAuthorization;
    });
    expect(message).toMatch(/must be signed by the sender/);
  });

  test('to code that is not known', async () => {
    const unknown = (await walletWith(devnet, 0n)).address;
    // It does what the known code does, and could be anything.
    const code = await devnet.client.getCode({ address: known() });
    await devnet.client.setCode({ address: unknown, bytecode: `${code ?? '0x'}00` });
    expect(await refusal((owner) => signDelegation(devnet, owner, unknown))).toMatch(/known/i);
  });

  test('to the zero address, which takes the code away', async () => {
    const zero = '0x0000000000000000000000000000000000000000';
    expect(await refusal((owner) => signDelegation(devnet, owner, zero))).toMatch(/must not be the zero address/);
  });

  test('that the sender has made already, without an authorization or with one that changes nothing: alto ends by it', async () => {
    const owner = newOwner();
    await devnet.client.setCode({ address: owner.address, bytecode: delegationCode(known()) });
    const authorization = await signDelegation(devnet, owner, known());
    const operation = await delegation(owner, known());
    const asked = bundler.requests.length;
    const { held } = tank();
    const { eip7702Auth: _, ...bare } = delegationOnWire(operation, authorization);
    const params = [relay, numberToHex(devnet.chainId), {}] as const;
    for (const method of ['tollfree_relayUserOperation', 'tollfree_prepareRelay']) {
      const refused = await askRpc(paymaster.rpcUrl, method, [bare, ...params]);
      expect(refused.code).toBe(-32_602);
      expect(refused.message).toMatch(/leave factory and factoryData out/);
    }
    expect((await relayed(operation, authorization)).message).toMatch(/leave factory and factoryData out/);
    expect(bundler.requests.length).toBe(asked);
    expect(tank().held).toBe(held);
  });

  test('if the policy does not sponsor it', async () => {
    await setPolicy({ allowAccountDeployment: false });
    expect(await refusal((owner) => signDelegation(devnet, owner, known()))).toMatch(/deploy/i);
    await setPolicy({ allowAccountDeployment: true });
  });
});
