import { type Address, getAddress, numberToHex, parseEther, parseGwei } from 'viem';
import { type LocalAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { approveCall, newSmartAccount, nextOperation, tokenWith, walletWith } from '../support/chain/chain-lab.ts';
import { freeOperation, newExecutor, transfer } from '../support/relay/relay-lab.ts';
import { type RpcServer, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';
const filled = parseEther('20');
/** Far above the prices of the development chain. */
const ceiling = parseGwei('50');

const noLimits = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
const gas = z.string().transform(BigInt);
const limitsSchema = z.object({ callGasLimit: gas, verificationGasLimit: gas, preVerificationGas: gas });

/** Answers every call with a word of zeros: that is a valid signature. */
const acceptsAnything = '0x5f5f5260205ff3';

let service: RunningService;
let devnet: Devnet;
/** A bundler that takes everything. */
let bundler: RpcServer;
let expected: string;
let relay: Address;
let paymaster: LabPaymaster;
let wallet: LocalAccount;

beforeAll(async () => {
  bundler = await startRpcServer((request, response) => respondResult(response, request, expected));
  let executor: LocalAccount | undefined;
  service = await startService({
    configure: async (config, chain) => {
      executor = await newExecutor(chain);
      const relayed = { kind: 'ALTO', url: bundler.url, executors: [executor.address], entryPoint: version } as const;
      const chains = config.chains.map((one) => ({ ...one, relay: relayed, maxFeePerGasCeiling: ceiling }));
      return { ...config, chains };
    },
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  wallet = await walletWith(devnet, parseEther('100'));
  paymaster = await openPaymaster(service, version);
  await chooseWallet(paymaster, wallet);
  await setPolicy({});
  if (executor === undefined) throw new Error('There is an executor.');
  await transfer(devnet, wallet, { to: executor.address, value: filled });
  await vi.waitFor(() => expect(tank().funded).toBe(filled), 20_000);
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

const tank = () => readTank(service.config.database, relay, wallet.address);
const setPolicy = (policy: object) =>
  paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER', ...policy } });

async function ask(
  method: 'tollfree_relayUserOperation' | 'tollfree_prepareRelay',
  account = newSmartAccount(version),
) {
  return send(method, await freeOperation(devnet, account));
}

async function send(method: 'tollfree_relayUserOperation' | 'tollfree_prepareRelay', operation: DevUserOperation) {
  expected = await readUserOperationHash(devnet, operation);
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  return askRpc(paymaster.rpcUrl, method, [sent, relay, numberToHex(devnet.chainId), {}]);
}

async function lastDecision() {
  const { decisions } = await paymaster.management.listDecisions({ apiKey: paymaster.apiKey, limit: 1 });
  return decisions[0];
}

describe('the owner’s maxFeePerGas', () => {
  test('binds what the bundle of a relayed operation may cost, also in the preview', async () => {
    const { management, apiKey } = paymaster;
    const { held } = tank();
    await setPolicy({ maxFeePerGas: '1' });
    for (const method of ['tollfree_prepareRelay', 'tollfree_relayUserOperation'] as const) {
      const refused = await ask(method);
      expect(refused).toMatchObject({ reason: 'GAS_PRICE_TOO_HIGH' });
      expect(refused.message).toMatch(/may cost up to \d{9,} wei per gas .* At most 1 wei is sponsored/);
    }
    expect(tank().held).toBe(held);
    expect((await lastDecision())?.trace.at(-1)).toMatchObject({
      rule: 'policy-gas-price',
      verdict: 'refused',
      checked: expect.stringMatching(/^up to \d+ wei per gas for the bundle$/),
      limit: '1 wei',
    });
    await setPolicy({ maxFeePerGas: ceiling.toString() });
    expect((await ask('tollfree_relayUserOperation')).message).toBeUndefined();
    const preview = { apiKey, policy: { relay: 'PREFER', maxFeePerGas: '1' }, last: 1 } as const;
    const { cutOff } = await management.previewPolicy(preview);
    expect(cutOff).toMatchObject([{ rule: 'policy-gas-price', reason: 'GAS_PRICE_TOO_HIGH' }]);
  });
});

describe('the signature of a relayed operation', () => {
  test('may be as long as that of a passkey, and no longer than the bundle is paid for', async () => {
    await setPolicy({ accounts: 'ANY' });
    const account = newSmartAccount(version);
    const { sender } = await freeOperation(devnet, account);
    await devnet.client.setCode({ address: sender, bytecode: acceptsAnything });
    const signed = async (bytes: number): Promise<DevUserOperation> => ({
      ...(await freeOperation(devnet, account)),
      signature: `0x${'5a'.repeat(bytes)}`,
    });
    const { held } = tank();
    for (const method of ['tollfree_prepareRelay', 'tollfree_relayUserOperation'] as const) {
      const refused = await send(method, await signed(8_000));
      expect(refused).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
      expect(refused.message).toMatch(/The signature has 8000 bytes.* Send a shorter signature/);
    }
    expect(tank().held).toBe(held);
    expect((await send('tollfree_relayUserOperation', await signed(600))).message).toBeUndefined();
  });
});

describe('the limits of a preparation', () => {
  test('are those the operation is relayed with, also where it has much data and burns much gas', async () => {
    await setPolicy({ sponsorAllCalls: true, accounts: 'KNOWN' });
    const account = newSmartAccount(version);
    const data = { to: wallet.address, data: `0x${'5a'.repeat(8_000)}` } as const;
    // Each writes a new slot.
    const spenders = Array.from({ length: 5 }, () => privateKeyToAddress(freshKey()));
    const approvals = spenders.map((spender) => approveCall(tokenWith(devnet, 6), spender, 1n));
    const draft = await nextOperation(devnet, account, [data, ...approvals]);
    const free = { ...draft, ...noLimits, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    const { result, message } = await send('tollfree_prepareRelay', free);
    expect(message).toBeUndefined();
    const { callGasLimit, verificationGasLimit, preVerificationGas } = limitsSchema.parse(result);
    const limited = { ...free, callGasLimit, verificationGasLimit, preVerificationGas };
    const signed = await signUserOperation(devnet, limited, account.owner);
    expect((await send('tollfree_relayUserOperation', signed)).message).toBeUndefined();
  });
});

describe('the operator’s ceiling', () => {
  test('has a relayed operation refused where its bundle may cost more, instead of holding less than that', async () => {
    await setPolicy({});
    await devnet.client.setNextBlockBaseFeePerGas({ baseFeePerGas: ceiling / 2n });
    await devnet.client.mine({ blocks: 1 });
    await vi.waitFor(async () => {
      const refused = await ask('tollfree_relayUserOperation');
      expect(refused).toMatchObject({ reason: 'GAS_PRICE_TOO_HIGH' });
      expect(refused.message).toContain(`At most ${ceiling} wei`);
    }, 20_000);
    const refusedAt = tank().held;
    expect((await ask('tollfree_relayUserOperation')).reason).toBe('GAS_PRICE_TOO_HIGH');
    expect(tank().held).toBe(refusedAt);
  });
});
