import { type Address, getAddress, numberToHex, parseEther } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { newSmartAccount, nextOperation, plainLimits, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { freeOperation, newExecutor, sendBundle, transfer } from '../support/relay/relay-lab.ts';
import {
  type RpcRequest,
  type RpcServer,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type OwnedPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { depositInto } from './deposit-into.ts';

const version = '0.8';

type Funded = OwnedPaymaster & { readonly wallet: LocalAccount };

let service: RunningService;
let devnet: Devnet;
let bundler: RpcServer;
let executor: LocalAccount;
let relay: Address;
let paymaster: Funded;
/** What the bundler says: it takes everything unless a test wants something else. */
let answers: (request: RpcRequest, hash: string) => { readonly result: string } | { readonly refused: string };
/** Hashes of operations, by sender and nonce, that the bundler answers with. */
const hashes = new Map<string, string>();

beforeAll(async () => {
  bundler = await startRpcServer((request, response) => {
    // Of an operation that it refuses, it says that it does not have it.
    if (request.method === 'pimlico_getUserOperationStatus') {
      return respondResult(response, request, { status: 'not_found', transactionHash: null });
    }
    const { sender, nonce } = request.params[0] as { sender: string; nonce: string };
    const said = answers(request, hashes.get(`${getAddress(sender)}:${BigInt(nonce)}`) ?? '');
    if ('refused' in said) respondError(response, request, -32500, said.refused);
    else respondResult(response, request, said.result);
  });
  service = await startService({
    configure: async (config, chain) => {
      executor = await newExecutor(chain);
      const relayed = { kind: 'ALTO', url: bundler.url, executors: [executor.address], entryPoint: version } as const;
      return { ...config, chains: config.chains.map((one) => ({ ...one, relay: relayed })) };
    },
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  paymaster = await openFunded();
});
beforeEach(() => {
  answers = (_, hash) => ({ result: hash });
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

/** A paymaster of a new account with coin in both tanks. */
async function openFunded(): Promise<Funded> {
  const wallet = await walletWith(devnet, parseEther('100'));
  const opened = await openPaymaster(service, version);
  await chooseWallet(opened, wallet);
  await opened.management.setPolicy({ apiKey: opened.apiKey, policy: { relay: 'PREFER' } });
  await transfer(devnet, wallet, { to: executor.address, value: parseEther('5') });
  await depositInto(service, version, wallet);
  await vi.waitFor(() => expect(tankOf(wallet).funded).toBe(parseEther('5')), 20_000);
  return { ...opened, wallet };
}

const tankOf = (wallet: LocalAccount) => readTank(service.config.database, relay, wallet.address);
const relayHolds = (of: Funded, sender: string) =>
  readHolds(service.config.database, relay, of.wallet.address).filter((hold) => hold.sender === sender);

async function relayed(operation: DevUserOperation, of: Funded = paymaster) {
  hashes.set(`${operation.sender}:${operation.nonce}`, await readUserOperationHash(devnet, operation));
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  return askRpc(of.rpcUrl, 'tollfree_relayUserOperation', [sent, relay, numberToHex(devnet.chainId), {}]);
}

/** The next operation of a new account both ways. */
async function bothWays() {
  const account = newSmartAccount(version);
  const free = await freeOperation(devnet, account);
  const paid = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  return { account, free, paid: { ...paid, ...plainLimits('undeployed') } };
}

describe('a sender and nonce that is sponsored one way', () => {
  test('is not signed for while it is relayed, whichever policy is named, and is again once it has landed', async () => {
    const { account, free, paid } = await bothWays();
    expect((await relayed(free)).message).toBeUndefined();
    const refused = await askSponsorship(paymaster.rpcUrl, paid);
    expect(refused).toMatchObject({ reason: 'OPERATION_PENDING', httpStatus: 422 });
    expect(refused.message).toMatch(/already relayed/);
    const { management, apiKey } = paymaster;
    const { policyId } = await management.createPolicy({ apiKey, name: 'other', policy: {} });
    expect((await askSponsorship(paymaster.rpcUrl, paid, { policyId })).reason).toBe('OPERATION_PENDING');
    expect(relayHolds(paymaster, free.sender).map(({ state }) => state)).toEqual(['live']);
    await sendBundle(devnet, executor, [free]);
    await vi.waitFor(
      () => expect(relayHolds(paymaster, free.sender).map(({ state }) => state)).toEqual(['settled']),
      20_000,
    );
    const next = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    expect((await askSponsorship(paymaster.rpcUrl, next)).message).toBeUndefined();
  });

  test('is not relayed while a paymaster signature for it is valid', async () => {
    const { free, paid } = await bothWays();
    expect((await askSponsorship(paymaster.rpcUrl, paid)).message).toBeUndefined();
    const before = bundler.requests.length;
    const refused = await relayed(free);
    expect(refused.reason).toBe('OPERATION_PENDING');
    expect(refused.message).toMatch(/already signed for and can land until 20/);
    expect(relayHolds(paymaster, free.sender)).toEqual([]);
    expect(bundler.requests.length).toBe(before);
  });

  test('is sponsored one way when both are asked for at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { free, paid } = await bothWays();
      const [one, other] = await Promise.all([relayed(free), askSponsorship(paymaster.rpcUrl, paid)]);
      expect([one.reason, other.reason].filter((reason) => reason === 'OPERATION_PENDING')).toHaveLength(1);
      expect([one.message, other.message]).toContain(undefined);
    }
  });

  test('is no affair of another paymaster: no tenant blocks the operations of another one', async () => {
    const stranger = await openFunded();
    const { free, paid } = await bothWays();
    expect((await askSponsorship(stranger.rpcUrl, paid)).message).toBeUndefined();
    expect((await relayed(free)).message).toBeUndefined();
    const next = await bothWays();
    expect((await relayed(next.free, stranger)).message).toBeUndefined();
    expect((await askSponsorship(paymaster.rpcUrl, next.paid)).message).toBeUndefined();
  });

  test('keeps its hold when a copy with a wrong signature is sent, which the bundler would refuse', async () => {
    const { free } = await bothWays();
    answers = ({ params }, hash) => {
      const { signature } = params[0] as { signature: string };
      return signature === free.signature ? { result: hash } : { refused: 'AA24 signature error' };
    };
    expect((await relayed(free)).message).toBeUndefined();
    const copied = await relayed({ ...free, signature: `0x${'11'.repeat(64)}1b` });
    expect(copied.result).toBe(hashes.get(`${free.sender}:${free.nonce}`));
    expect(relayHolds(paymaster, free.sender).map(({ state }) => state)).toEqual(['live']);
    const receipt = await sendBundle(devnet, executor, [free]);
    expect(receipt.status).toBe('success');
    await vi.waitFor(
      () => expect(relayHolds(paymaster, free.sender).map(({ state }) => state)).toEqual(['settled']),
      20_000,
    );
  });
});

describe('the life of a relayed operation', () => {
  test('is signed, sent and included', async () => {
    const { management, apiKey } = paymaster;
    const { free } = await bothWays();
    const { result: hash } = await relayed(free);
    const read = () => management.getOperation({ apiKey, userOperationHash: String(hash) });
    expect(await read()).toMatchObject({ status: 'sent', sender: free.sender });
    expect((await read()).steps.map(({ status }) => status)).toEqual(['signed', 'sent']);
    await sendBundle(devnet, executor, [free]);
    await vi.waitFor(async () => expect((await read()).status).toBe('included'), 20_000);
    const life = await read();
    expect(life.steps.map(({ status }) => status)).toEqual(['signed', 'sent', 'included']);
    expect(BigInt(life.charge ?? 0)).toBeGreaterThan(0n);
    const { decisions } = await management.listDecisions({ apiKey, outcome: 'signed' });
    expect(decisions[0]).toMatchObject({ status: 'included', userOperationHash: hash });
  });

  test('ends with the bundler’s refusal', async () => {
    const { management, apiKey } = paymaster;
    const { free } = await bothWays();
    answers = () => ({ refused: 'AA23 reverted' });
    expect((await relayed(free)).reason).toBe('BUNDLER_REFUSED');
    const userOperationHash = await readUserOperationHash(devnet, free);
    const life = await management.getOperation({ apiKey, userOperationHash });
    expect(life.steps.map(({ status }) => status)).toEqual(['signed', 'expired']);
  });
});

describe('the policy field relay', () => {
  test('is previewed, refused and explained alike', async () => {
    const own = await openFunded();
    const { management, apiKey } = own;
    const { free, paid } = await bothWays();
    expect((await askSponsorship(own.rpcUrl, paid)).message).toBeUndefined();
    const other = await bothWays();
    expect((await relayed(other.free, own)).message).toBeUndefined();

    const only = await management.previewPolicy({ apiKey, policy: { relay: 'ONLY' }, last: 10 });
    expect(only.replayed).toBe(2);
    expect(only.cutOff).toMatchObject([{ rule: 'policy-relay', reason: 'RELAY_REQUIRED', sender: paid.sender }]);
    const never = await management.previewPolicy({ apiKey, policy: { relay: 'NEVER' }, last: 10 });
    expect(never.cutOff).toMatchObject([
      { rule: 'policy-relay', reason: 'RELAY_NOT_ALLOWED', sender: other.free.sender },
    ]);

    await management.setPolicy({ apiKey, policy: { relay: 'ONLY' } });
    const refused = await askSponsorship(own.rpcUrl, (await bothWays()).paid);
    expect(refused).toMatchObject({ reason: 'RELAY_REQUIRED', message: only.cutOff[0]?.message });
    const { decisions } = await management.listDecisions({ apiKey, limit: 1 });
    expect(decisions[0]?.trace.at(-1)).toMatchObject({
      rule: 'policy-relay',
      limit: 'relay ONLY',
      fix: { action: 'change-policy', policyField: 'relay' },
    });
    const preferred = await management.previewPolicy({ apiKey, policy: { relay: 'PREFER' }, last: 10 });
    expect(preferred.letIn).toMatchObject([{ rule: 'policy-relay', reason: 'RELAY_REQUIRED' }]);

    await management.setPolicy({ apiKey, policy: { relay: 'NEVER' } });
    expect((await relayed(free, own)).reason).toBe('RELAY_NOT_ALLOWED');
  });
});

describe('while the bundler cannot be reached', () => {
  test('nothing is held for what was not sent, and the paymaster contract signs at once', async () => {
    await bundler.close();
    const { free, paid } = await bothWays();
    const away = await relayed(free);
    expect(away.reason).toBe('BUNDLER_UNAVAILABLE');
    expect(away.message).toMatch(/was not sent and nothing is held/);
    expect(relayHolds(paymaster, free.sender).map(({ state }) => state)).toEqual(['released']);
    expect((await askSponsorship(paymaster.rpcUrl, paid)).message).toBeUndefined();
  });
});
