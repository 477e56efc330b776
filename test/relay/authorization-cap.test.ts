import { getAddress, numberToHex, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { fillTank, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { transfer } from '../support/relay/relay-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { sponsor } from '../support/service/chain-sponsorship.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';
const patience = { timeout: 30_000, interval: 50 };
const key = freshKey();
const treasury = privateKeyToAccount(key);
const executor = privateKeyToAccount(freshKey());
const refill = { below: parseEther('1'), to: parseEther('50') };

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    configure: async (config, { client }) => {
      await client.setBalance({ address: treasury.address, value: parseEther('200') });
      const executors = [executor.address];
      const relay = { kind: 'ALTO', url: 'http://127.0.0.1:9', executors, entryPoint: version } as const;
      const wallet = { kind: 'raw', privateKey: new Secret(key) } as const;
      // Enough for a few.
      const authorizations = { maxPerDay: (await client.getGasPrice()) * 1_000_000n, perAccountPerDay: 1 };
      const ofTreasury = { wallet, maxPerDay: parseEther('150'), executors: refill, authorizations };
      return {
        ...config,
        chains: config.chains.map((one) => ({ ...one, pollIntervalMs: 50, relay, treasury: ofTreasury })),
      };
    },
  });
});
afterAll(() => service.close());

/** An account holder with coin at the relay and at the paymaster contract. */
async function openHolder() {
  const { devnet } = service;
  const relay = getAddress(devnet.entryPoints[version]);
  const paymaster = await openPaymaster(service, version);
  const { management, apiKey, rpcUrl } = paymaster;
  const wallet = await walletWith(devnet, parseEther('100'));
  await chooseWallet(paymaster, wallet);
  await management.setPolicy({ apiKey, policy: { relay: 'PREFER', allowAccountDeployment: true } });
  await transfer(devnet, wallet, { to: executor.address, value: parseEther('10') });
  await fillTank(devnet, version, wallet, parseEther('1'));
  const tank = () => readTank(service.config.database, relay, wallet.address);
  await vi.waitFor(() => expect(tank().funded).toBe(parseEther('10')), patience);
  return {
    rpcUrl,
    tank,
    /** Has a new account delegated. */
    delegate: async () => {
      const owner = privateKeyToAccount(freshKey());
      const signed = await signDelegation(devnet, owner, devnet.simple7702Account);
      const { address, chainId, nonce, r, s, yParity } = signed;
      const params = [{ address, chainId, nonce, r, s, yParity }, relay, numberToHex(devnet.chainId), {}];
      const answer = await askRpc(rpcUrl, 'tollfree_sendAuthorization', params);
      await vi.waitFor(() => expect(tank().held).toBe(0n), patience);
      return answer;
    },
  };
}

test('an account holder who uses up the day’s cap stops the authorizations of others, and neither sponsorship nor refills', async () => {
  const { devnet } = service;
  const [greedy, other] = [await openHolder(), await openHolder()];
  let sent = 0;
  let answer = await greedy.delegate();
  for (; answer.reason === undefined && sent < 30; sent += 1) answer = await greedy.delegate();
  expect(sent).toBeGreaterThan(0);
  const refused = { reason: 'LIMIT_EXCEEDED', message: expect.stringMatching(/^No more authorizations are sent/) };
  expect(answer).toMatchObject(refused);
  expect(await other.delegate()).toMatchObject(refused);
  // It costs them what it costs the treasury.
  expect(greedy.tank().settled).toBeGreaterThan(0n);
  expect(other.tank().settled).toBe(0n);

  const drafted = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
  expect(await sponsor(other.rpcUrl, drafted)).toMatchObject({ MODE: 'SPONSORED' });
  await devnet.client.setBalance({ address: executor.address, value: parseEther('0.1') });
  const isRefilled = async () => expect(await devnet.client.getBalance({ address: executor.address })).toBe(refill.to);
  await vi.waitFor(isRefilled, patience);
}, 180_000);
