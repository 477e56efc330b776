import { type Address, getAddress, numberToHex, parseEther, type SignedAuthorization, zeroAddress } from 'viem';
import { type LocalAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { authorizationHash, delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { accepted } from '../../server/accepted.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { transfer } from '../support/relay/relay-lab.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';
const patience = { timeout: 30_000, interval: 50 };
const key = freshKey();
const treasury = privateKeyToAccount(key);
const executor = privateKeyToAccount(freshKey());
const authorizations = { maxPerDay: parseEther('5'), perAccountPerDay: 2 };

let service: RunningService;
let devnet: Devnet;
let relay: Address;
let paymaster: LabPaymaster;
let wallet: LocalAccount;

beforeAll(async () => {
  service = await startService({
    configure: async (config, chain) => {
      await chain.client.setBalance({ address: treasury.address, value: parseEther('100') });
      const executors = [executor.address];
      const ofRelay = { kind: 'ALTO', url: 'http://127.0.0.1:9', executors, entryPoint: version } as const;
      const hot = { kind: 'raw', privateKey: new Secret(key) } as const;
      const ofTreasury = { wallet: hot, maxPerDay: parseEther('50'), authorizations };
      const own = { pollIntervalMs: 50, relay: ofRelay, treasury: ofTreasury };
      return { ...config, chains: config.chains.map((one) => ({ ...one, ...own })) };
    },
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  paymaster = await openPaymaster(service, version);
  wallet = await walletWith(devnet, parseEther('100'));
  await chooseWallet(paymaster, wallet);
  await setPolicy({});
  await transfer(devnet, wallet, { to: executor.address, value: parseEther('20') });
  await vi.waitFor(() => expect(tank().funded).toBe(parseEther('20')), patience);
});
afterAll(() => service.close());

const tank = () => readTank(service.config.database, relay, wallet.address);
const lastHold = () => readHolds(service.config.database, relay, wallet.address).at(-1);
const setPolicy = (policy: object) =>
  paymaster.management.setPolicy({
    apiKey: paymaster.apiKey,
    policy: { relay: 'PREFER', allowAccountDeployment: true, ...policy },
  });
const newOwner = () => privateKeyToAccount(freshKey());
const delegateOfAccount = async (address: Address) => delegateOf(await devnet.client.getCode({ address }));
const balance = () => devnet.client.getBalance({ address: treasury.address });

function send(authorization: SignedAuthorization) {
  const { address, chainId, nonce, r, s, yParity } = authorization;
  const params = [{ address, chainId, nonce, r, s, yParity }, relay, numberToHex(devnet.chainId), {}];
  return askRpc(paymaster.rpcUrl, 'tollfree_sendAuthorization', params);
}

/** An account that delegates to known code, as a transaction of its own wallet had it. */
async function delegated(): Promise<PrivateKeyAccount> {
  const owner = newOwner();
  await land(await signDelegation(devnet, owner, devnet.simple7702Account));
  return owner;
}

async function land(authorization: SignedAuthorization) {
  const stranger = await walletWith(devnet, parseEther('1'));
  const sent = { account: stranger, chain: devnet.client.chain, to: stranger.address, gas: 200_000n };
  const hash = await devnet.client.sendTransaction({ ...sent, authorizationList: [authorization] });
  await devnet.client.waitForTransactionReceipt({ hash });
}

const removal = (owner: PrivateKeyAccount, over = {}) => signDelegation(devnet, owner, zeroAddress, over);

/** What the tank paid once its holds had ended, with the ledger of the relay exact. */
async function charged(before: bigint): Promise<bigint> {
  await vi.waitFor(() => expect(tank().held).toBe(0n), patience);
  const reports = accepted(await service.core.checkLedger({ allRows: true }));
  const own = reports.find(({ contract }) => contract === relay);
  expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [], unexplainedCosts: 0n });
  expect(own?.treasuryDeposits).toBe(own?.settled);
  return tank().settled - before;
}

describe('an authorization that the treasury sends', () => {
  test('removes the delegate, and the tank pays to the wei what the wallet paid', async () => {
    const owner = await delegated();
    const [{ settled }, coin] = [tank(), await balance()];
    const answer = await send(await removal(owner));
    expect(answer.message).toBeUndefined();
    const held = lastHold();
    expect(await charged(settled)).toBe(coin - (await balance()));
    expect(await delegateOfAccount(owner.address)).toBeUndefined();
    expect(coin - (await balance())).toBeLessThanOrEqual(held?.amount ?? 0n);
    expect(tank().settled).toBeGreaterThan(settled);
  });

  test('delegates an account without coin, and gives it another delegate', async () => {
    const owner = newOwner();
    const [{ settled }, coin] = [tank(), await balance()];
    const client = createSponsorClient({ url: paymaster.rpcUrl });
    const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
    const sent = { authorization, chainId: devnet.chainId, entryPointAddress: relay };
    const { r, s, yParity = 0 } = authorization;
    const numbers = { chainId: BigInt(devnet.chainId), nonce: 0n, r: BigInt(r), s: BigInt(s) };
    expect(await client.sendAuthorization(sent)).toBe(
      authorizationHash({ address: devnet.simple7702Account, ...numbers, yParity: yParity === 0 ? 0 : 1 }),
    );
    expect(await charged(settled)).toBe(coin - (await balance()));
    expect(await delegateOfAccount(owner.address)).toBe(devnet.simple7702Account);
  });

  test('is held once if it is sent twice, and answered with the same hash', async () => {
    const owner = await delegated();
    const { settled } = tank();
    const authorization = await removal(owner);
    const [first, second] = await Promise.all([send(authorization), send(authorization)]);
    expect(first?.result).toMatch(/^0x[0-9a-f]{64}$/);
    expect(second?.result).toBe(first?.result);
    const paid = await charged(settled);
    expect(paid).toBeLessThanOrEqual(lastHold()?.amount ?? 0n);
    // Its nonce is used up.
    expect((await send(authorization)).message).toMatch(/nonce must be 2/);
    expect(tank().settled - settled).toBe(paid);
  });

  test('is explained by its hash, with the transaction that the tank paid for', async () => {
    const owner = await delegated();
    const { settled } = tank();
    const { result } = await send(await removal(owner));
    await charged(settled);
    const { apiKey } = paymaster;
    const operation = await paymaster.management.getOperation({ apiKey, userOperationHash: String(result) });
    expect(operation).toMatchObject({ status: 'included', sender: owner.address });
    const { decisions } = await paymaster.management.listDecisions({ apiKey, sender: owner.address });
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({
      method: 'tollfree_sendAuthorization',
      outcome: 'signed',
      settlement: { way: 'RELAY', success: true },
    });
  });

  test('of one account is sent as often a day as the operator allows', async () => {
    const owner = await delegated();
    for (const delegate of [zeroAddress, devnet.simple7702Account]) {
      const { settled } = tank();
      expect((await send(await signDelegation(devnet, owner, delegate))).message).toBeUndefined();
      await charged(settled);
    }
    const { settled } = tank();
    const refused = await send(await removal(owner));
    expect(refused).toMatchObject({ reason: 'LIMIT_EXCEEDED', message: expect.stringMatching(/of this account/) });
    expect(tank()).toMatchObject({ settled, held: 0n });
  });
});

describe('nothing is held for an authorization', () => {
  /** What is said to an authorization of an account with a delegate. */
  async function refusal(change: (owner: PrivateKeyAccount) => Promise<SignedAuthorization>, owner = delegated()) {
    const before = tank();
    const { message = '' } = await send(await change(await owner));
    expect(tank()).toEqual(before);
    return message;
  }

  test('of another chain, or of all', async () => {
    for (const chainId of [1, 0]) {
      expect(await refusal((owner) => removal(owner, { chainId }))).toMatch(/chainId must be/);
    }
  });

  test('with another nonce than that of the account', async () => {
    expect(await refusal((owner) => removal(owner, { nonce: 7 }))).toMatch(/nonce must be 1/);
  });

  test('whose signature has a high s, which the chain leaves aside', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const message = await refusal(async (owner) => {
      const signed = await removal(owner);
      const flipped = numberToHex(order - BigInt(signed.s), { size: 32 });
      return { ...signed, s: flipped, yParity: signed.yParity === 0 ? 1 : 0 } as SignedAuthorization;
    });
    expect(message).toMatch(/valid signature/);
  });

  test('of the hot wallet or of an executor', async () => {
    for (const owner of [treasury, executor]) {
      const chosen = (own: PrivateKeyAccount) => signDelegation(devnet, own, devnet.simple7702Account);
      expect(await refusal(chosen, Promise.resolve(owner))).toMatch(/wallet of the service/);
    }
  });

  test('that changes nothing', async () => {
    const same = (owner: PrivateKeyAccount) => signDelegation(devnet, owner, devnet.simple7702Account);
    expect(await refusal(same)).toMatch(/already has/);
    expect(await refusal((owner) => removal(owner), Promise.resolve(newOwner()))).toMatch(/no delegate to remove/);
  });

  test('to code that is not known', async () => {
    const unknown = (await walletWith(devnet, 0n)).address;
    const code = await devnet.client.getCode({ address: devnet.simple7702Account });
    await devnet.client.setCode({ address: unknown, bytecode: `${code ?? '0x'}00` });
    expect(await refusal((owner) => signDelegation(devnet, owner, unknown))).toMatch(/known/i);
  });

  test('if the policy does not relay, or does not sponsor accounts', async () => {
    await setPolicy({ relay: 'NEVER' });
    expect(await refusal((owner) => removal(owner))).toMatch(/does not relay/);
    await setPolicy({ allowAccountDeployment: false });
    expect(await refusal((owner) => removal(owner))).toMatch(/deploy/i);
    await setPolicy({});
  });

  test('that is not signed', async () => {
    expect(await refusal(async (owner) => ({ ...(await removal(owner)), r: '0x0', s: '0x0' }))).toMatch(
      /valid signature/,
    );
  });
});
