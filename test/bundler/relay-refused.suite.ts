import { concatHex, encodeErrorResult, getAddress, type Hex, numberToHex, parseAbi, parseEther, size } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { delegationOnWire, signedDelegation } from '../support/relay/delegation-lab.ts';
import { freeOperation, sendBundle, transfer } from '../support/relay/relay-lab.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';
import { type Alto, startAlto } from './start-alto.ts';

const version = '0.8';
/** The key that `startAlto` gives it to send bundles with. */
const executor = privateKeyToAddress(deriveDevKey(8));

let devnet: Devnet;
let alto: Alto;
let service: RunningService;
let paymaster: LabPaymaster;
let wallet: Awaited<ReturnType<typeof walletWith>>;

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey), idleBlockSeconds: 1 });
  alto = await startAlto(devnet);
  const relayed = () => ({ kind: 'ALTO', url: alto.url, executors: [executor], entryPoint: version }) as const;
  service = await startService({
    devnet,
    configure: (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, relay: relayed() })) }),
  });
  wallet = await walletWith(devnet, parseEther('100'));
  paymaster = await openPaymaster(service, version);
  await chooseWallet(paymaster, wallet);
  const policy = { relay: 'PREFER', accounts: 'ANY', sponsorAllCalls: true, allowAccountDeployment: true } as const;
  await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy });
  await transfer(devnet, wallet, { to: executor, value: parseEther('10') });
  await vi.waitFor(() => expect(tank().funded).toBe(parseEther('10')), 20_000);
}, 180_000);
afterAll(async () => {
  await service.close();
  await alto.close();
  await devnet.close();
});

const tank = () => readTank(service.config.database, relay(), wallet.address);
const relay = () => getAddress(devnet.entryPoints[version]);
const relayed = (operation: object) =>
  askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', [operation, relay(), numberToHex(devnet.chainId), {}]);

/**
 * An account that does nothing, and accepts every signature where gas has a price, as in the service's simulation and in a block. In
 * alto's simulation gas has none: there it reverts with these words.
 */
function accountThatSays(words: string): Hex {
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [words] });
  const length = numberToHex(size(data), { size: 1 });
  // PUSH the length, PUSH the data's position, CODECOPY to 0, REVERT with it. The data follows the code.
  const refuse = (position: Hex) => concatHex(['0x60', length, '0x60', position, '0x5f39', '0x60', length, '0x5ffd']);
  // JUMPDEST, RETURN of 32 zero bytes.
  const accept: Hex = '0x5b60205ff3';
  const jumpBytes = 4;
  const accepts = jumpBytes + size(refuse('0x00'));
  // GASPRICE, PUSH the position of `accept`, JUMPI.
  const jump = concatHex(['0x3a60', numberToHex(accepts, { size: 1 }), '0x57']);
  return concatHex([jump, refuse(numberToHex(accepts + size(accept), { size: 1 })), accept, data]);
}

test.each(['Already known', 'User operation already present in mempool', 'is already being processed'])(
  'alto’s refusal of an account that reverts with “%s” is a refusal, and its hold is released',
  async (words) => {
    const account = newSmartAccount(version);
    await sendBundle(devnet, await walletWith(devnet, parseEther('1')), [await freeOperation(devnet, account)]);
    const operation = await freeOperation(devnet, account);
    await devnet.client.setCode({ address: operation.sender, bytecode: accountThatSays(words) });
    const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
    const refused = await relayed(sent);
    expect(refused.message).toContain(words);
    expect(refused.reason).toBe('BUNDLER_REFUSED');
    expect(tank().held).toBe(0n);
  },
);

test('an operation that alto has is answered as relayed when it is sent again, and held once', async () => {
  const operation = await freeOperation(devnet, newSmartAccount(version));
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const holds = () =>
    readHolds(service.config.database, relay(), wallet.address).filter(({ sender }) => sender === operation.sender);
  const [first, again] = await Promise.all([relayed(sent), relayed(sent)]);
  expect(first.message).toBeUndefined();
  expect(again.result).toBe(first.result);
  expect(holds().length).toBe(1);
  await vi.waitFor(() => expect(tank().held).toBe(0n), 60_000);
});

test('alto survives the marker of an account that has its delegate already: it never gets it', async () => {
  const owner = privateKeyToAccount(freshKey());
  await devnet.client.setCode({ address: owner.address, bytecode: delegationCode(devnet.simple7702Account) });
  const operation = await signedDelegation(devnet, owner, devnet.simple7702Account);
  const authorization = await signDelegation(devnet, owner, devnet.simple7702Account);
  const { eip7702Auth, ...bare } = delegationOnWire(operation, authorization);
  for (const sent of [bare, { ...bare, eip7702Auth }]) {
    expect((await relayed(sent)).message).toMatch(/leave factory and factoryData out/);
  }
  const next = await freeOperation(devnet, newSmartAccount(version));
  const sent = { ...toRpcUserOperation(next), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  expect((await relayed(sent)).message).toBeUndefined();
  await vi.waitFor(() => expect(tank().held).toBe(0n), 60_000);
});
