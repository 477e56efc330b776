import { join } from 'node:path';
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseEther,
  toFunctionSelector,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { SponsorshipRefusedError } from '../../clients/sdk/errors/errors.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { type CompiledContract, compileSolidity } from '../../tools/compile-solidity.ts';
import {
  bundler,
  fillTank,
  newSmartAccount,
  nextOperation,
  plainLimits,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const compiled = compileSolidity(join(import.meta.dirname, 'contracts/Vault.sol'));

type Lab = {
  readonly service: RunningService;
  /** Its errors are registered. */
  readonly vault: Address;
  /** Registered, and called by the vault. */
  readonly guard: Address;
  readonly paymasters: ReadonlyMap<EntryPointVersion, LabPaymaster>;
};

function contract(name: 'Vault' | 'Guard'): CompiledContract {
  const found = compiled.get(name);
  if (found === undefined) throw new Error(`${name} did not compile.`);
  return found;
}

async function openLab(service: RunningService): Promise<Lab> {
  const { client } = service.devnet;
  const deploy = async (name: 'Vault' | 'Guard'): Promise<Address> => {
    const { abi, creationBytecode: bytecode } = contract(name);
    const data = encodeDeployData({ abi, bytecode });
    const hash = await client.sendTransaction({ account: bundler, chain: client.chain, data });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    if (!contractAddress) throw new Error(`${name} was not deployed.`);
    return contractAddress;
  };
  const lab = { service, vault: await deploy('Vault'), guard: await deploy('Guard') };
  const paymasters = new Map<EntryPointVersion, LabPaymaster>();
  for (const version of tabledEntryPoints) {
    const paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(service.devnet, 0n);
    await chooseWallet(paymaster, wallet);
    await fillTank(service.devnet, version, wallet, parseEther('10'));
    const methods = ['shut', 'refuse', 'askThrough', 'askWrapped', 'open'];
    await register(paymaster, 'vault', lab.vault, contract('Vault').abi, methods);
    paymasters.set(version, paymaster);
  }
  return { ...lab, paymasters };
}

async function register(
  { management, apiKey }: LabPaymaster,
  name: string,
  address: Address,
  abi: Abi,
  whitelistedMethods: readonly string[],
): Promise<void> {
  await management.registerSmartContract({ apiKey, name, address, abi, whitelistedMethods: [...whitelistedMethods] });
}

function paymasterOf({ paymasters }: Lab, version: EntryPointVersion): LabPaymaster {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  return paymaster;
}

function vaultCall({ vault }: Lab, functionName: string, args: readonly unknown[] = []): DevCall {
  return { to: vault, data: encodeFunctionData({ abi: contract('Vault').abi, functionName, args }) };
}

/** What the SDK throws when the service refuses the operation. */
async function refusalOf(
  { service }: Lab,
  { apiKey }: LabPaymaster,
  operation: DevUserOperation,
  context: object = { mode: 'SPONSORED' },
): Promise<SponsorshipRefusedError> {
  const client = createSponsorClient({ url: service.rpcUrl(apiKey) });
  const { initCode, entryPointVersion, paymasterAndData, ...shared } = operation;
  const wire =
    entryPointVersion === '0.6' ? { ...shared, initCode, paymasterAndData } : { ...shared, ...creationOf(operation) };
  const info = { smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' }, webhookData: {} };
  const answered = await client
    .sponsorUserOperation(wire, { mode: 'SPONSORED', sponsorshipInfo: info, ...context })
    .catch((error: unknown) => error);
  if (!(answered instanceof SponsorshipRefusedError)) throw new Error(`Not refused: ${String(answered)}`);
  expect(answered).toMatchObject({ code: -32016, reason: 'ESTIMATION_FAILED' });
  return answered;
}

function creationOf(operation: DevUserOperation): { factory?: Address; factoryData?: Hex } {
  const { factory, factoryData } = toRpcUserOperation(operation);
  return factory === undefined ? {} : { factory: factory as Address, factoryData: factoryData as Hex };
}

let lab: Lab;
beforeAll(async () => {
  lab = await openLab(await startService({ handle: 'grpc' }));
});
afterAll(() => lab.service.close());

describe.each(tabledEntryPoints)('an operation of EntryPoint %s whose call reverts', (version) => {
  async function refused(calls: readonly DevCall[], context?: object) {
    const operation = await nextOperation(lab.service.devnet, newSmartAccount(version), calls);
    return { operation, refusal: await refusalOf(lab, paymasterOf(lab, version), operation, context) };
  }
  const guardErrors = contract('Guard').abi;

  test('is refused with the name of an error without arguments', async () => {
    const { refusal } = await refused([vaultCall(lab, 'shut')]);
    expect(refusal).toMatchObject({ field: 'callData', details: { revert: 'Closed()' } });
    expect(refusal.message).toContain('Closed()');
  });

  test('is refused with the arguments of the error, printable and bounded', async () => {
    const { operation, refusal } = await refused([vaultCall(lab, 'refuse', [10n ** 30n, 'shut for\n\u0007winter'])]);
    const revert = `Refused(${operation.sender}, 1${'0'.repeat(30)}, "shut for winter")`;
    expect(refusal.details.revert).toBe(revert);
    expect(refusal.message).toContain(revert);
    const long = await refused([vaultCall(lab, 'refuse', [1n, 'x'.repeat(800)])]);
    expect(String(long.refusal.details.revert)).toMatch(/^Refused\(0x\w{40}, 1, "x{200}"\)$/);
    const tooLong = await refused([vaultCall(lab, 'refuse', [1n, 'x'.repeat(1_000)])]);
    expect(tooLong.refusal.details.revert).toBe('Refused(…)');
  });

  test('of a batch is refused with the error of the call that reverted', async () => {
    const increment = { to: lab.service.devnet.target.address, data: toFunctionSelector('increment()') };
    const { refusal } = await refused([increment, vaultCall(lab, 'shut')]);
    expect(refusal.details).toMatchObject({ revert: 'Closed()', callIndex: '1' });
  });

  test('is refused with the selector of an error that no called contract has registered', async () => {
    const { refusal } = await refused([vaultCall(lab, 'askThrough', [lab.guard])]);
    expect(refusal.details.revert).toBe(toFunctionSelector('Denied(int64,bytes4,uint256[])'));
    const wrapped = await refused([vaultCall(lab, 'askWrapped', [lab.guard])]);
    expect(wrapped.refusal.details.revert).toMatch(/^CallFailed\(0x[0-9a-f]{64}…\)$/);
  });

  test('is refused with the error of a contract called within, when one of the targets has it', async () => {
    const errors = guardErrors.filter(({ type }) => type === 'error');
    const paymaster = await openFunded(version);
    await register(paymaster, 'vault', lab.vault, [...contract('Vault').abi, ...errors], ['askThrough', 'askWrapped']);
    const denied = 'Denied(-5, 0x01020304, [7, 8])';
    for (const [method, revert] of [
      ['askThrough', denied],
      ['askWrapped', `CallFailed(${denied})`],
    ] as const) {
      const call = vaultCall(lab, method, [lab.guard]);
      const operation = await nextOperation(lab.service.devnet, newSmartAccount(version), [call]);
      expect((await refusalOf(lab, paymaster, operation)).details.revert).toBe(revert);
      // The errors that one account holder registered are no one else's to see.
      expect((await refusalOf(lab, paymasterOf(lab, version), operation)).details.revert).not.toContain('Denied');
    }
  });

  test('is named after the ABI that is registered now', async () => {
    const paymaster = await openFunded(version);
    const operation = await nextOperation(lab.service.devnet, newSmartAccount(version), [vaultCall(lab, 'shut')]);
    const withoutErrors = contract('Vault').abi.filter(({ type }) => type !== 'error');
    await register(paymaster, 'vault', lab.vault, withoutErrors, ['shut']);
    expect((await refusalOf(lab, paymaster, operation)).details.revert).toBe(toFunctionSelector('Closed()'));
    const { management, apiKey } = paymaster;
    await management.deleteSmartContract({ apiKey, address: lab.vault });
    await register(paymaster, 'vault again', lab.vault, contract('Vault').abi, ['shut']);
    expect((await refusalOf(lab, paymaster, operation)).details.revert).toBe('Closed()');
  });

  test('in token mode is named too', async () => {
    const { devnet } = lab.service;
    const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: tokenWith(devnet, 6).address } };
    expect((await refused([vaultCall(lab, 'shut')], context)).refusal.details.revert).toBe('Closed()');
  });

  test('with given limits is named by the check of given limits', async () => {
    const built = await nextOperation(lab.service.devnet, newSmartAccount(version), [vaultCall(lab, 'shut')]);
    const given = { ...built, ...plainLimits('undeployed') };
    const refusal = await refusalOf(lab, paymasterOf(lab, version), given, { calculateGasLimits: false });
    expect(refusal.details.revert).toBe('Closed()');
  });

  test('only with its given limits, is named by the check of given limits', async () => {
    const { devnet } = lab.service;
    const paymaster = await openFunded(version);
    const abi = [...contract('Vault').abi, ...guardErrors.filter(({ type }) => type === 'error')];
    await register(paymaster, 'vault', lab.vault, abi, ['open']);
    const call = vaultCall(lab, 'open', [lab.guard]);
    const account = newSmartAccount(version);
    const first = await nextOperation(devnet, account, [call]);
    await land(devnet, account, withAnswer(first, await sponsor(paymaster.rpcUrl, first)));
    const short = { ...(await nextOperation(devnet, account, [call])), ...plainLimits('deployed') };
    const refusal = await refusalOf(lab, paymaster, short, { calculateGasLimits: false });
    expect(refusal).toMatchObject({ field: 'callGasLimit', details: { revert: 'TooFewGas()', asked: '100000' } });
  });
});

async function openFunded(version: EntryPointVersion): Promise<LabPaymaster> {
  const paymaster = await openPaymaster(lab.service, version);
  const wallet = await walletWith(lab.service.devnet, 0n);
  await chooseWallet(paymaster, wallet);
  await fillTank(lab.service.devnet, version, wallet, parseEther('1'));
  return paymaster;
}

describe('with a bundler that estimates', () => {
  let bundlerServer: RpcServer;
  let other: Lab;
  let error: { code: number; message: string; data?: unknown };
  beforeAll(async () => {
    bundlerServer = await startRpcServer(({ id }, response) => respond(response, { jsonrpc: '2.0', id, error }));
    const configure: Parameters<typeof startService>[0] = {
      configure: (config) => ({
        ...config,
        chains: config.chains.map((chain) => ({
          ...chain,
          bundler: { urls: [bundlerServer.url], expose: 'NONE' as const, asksForLimits: true },
        })),
      }),
    };
    other = await openLab(await startService(configure));
  });
  afterAll(async () => {
    await other.service.close();
    await bundlerServer.close();
  });

  const { abi } = contract('Vault');
  const refusedArgs = [`0x${'11'.repeat(20)}`, 5n, 'no'] as const;
  const refusedData = encodeErrorResult({ abi, errorName: 'Refused', args: refusedArgs });

  test.each([
    ['in the text', { code: -32521, message: `execution reverted: ${refusedData}` }],
    ['as data', { code: -32521, message: 'execution reverted', data: refusedData }],
    ['next to a code of the EntryPoint', { code: -32500, message: `AA23 reverted ${refusedData}` }],
  ])('names the error of the call itself, whatever the bundler hands on %s', async (_, answer) => {
    error = answer;
    for (const version of tabledEntryPoints) {
      const built = await nextOperation(other.service.devnet, newSmartAccount(version), [vaultCall(other, 'shut')]);
      for (const context of [{}, { calculateGasLimits: false }]) {
        const operation = { ...built, ...('calculateGasLimits' in context ? plainLimits('undeployed') : {}) };
        const refusal = await refusalOf(other, paymasterOf(other, version), operation, context);
        expect(refusal.details.revert).toBe('Closed()');
      }
    }
  });
});
