import type { ServerResponse } from 'node:http';
import { type Address, getAddress, parseEther, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { VendorConfig } from '../../core/domain/chain-config.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { accepted } from '../../server/accepted.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { fillTank, newSmartAccount, nextOperation, plainLimits, targetCall } from '../support/chain/chain-lab.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { startMockPaymaster } from '../support/servers/mock-paymaster.ts';
import {
  chooseWallet,
  type LabPaymaster,
  type OwnedPaymaster,
  openPaymaster,
} from '../support/service/chain-paymaster.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

/** How the vendor behaves: as the published mock paymaster, or as a test wants it. */
export type Behaviour = (request: RpcRequest, response: ServerResponse) => void | Promise<void>;

export type VendorLab = {
  readonly service: RunningService;
  readonly devnet: Devnet;
  /** Stands before the published mock paymaster of Pimlico. */
  readonly vendor: RpcServer;
  readonly paymasters: Readonly<Partial<Record<EntryPointVersion, Address>>>;
  behave(behaviour: Behaviour | undefined): void;
  /** What the mock paymaster answers. */
  honest(request: RpcRequest): Promise<unknown>;
  /** The service again, with another configuration of its vendor. */
  again(change: Partial<VendorConfig>, configure?: (config: CoreConfig) => CoreConfig): Promise<RunningService>;
  close(): Promise<void>;
};

const much = 10n ** 12n;
const bare = {
  sender: zeroAddress,
  nonce: '0x0',
  callData: '0x',
  signature: '0x',
  callGasLimit: '0x1',
  verificationGasLimit: '0x1',
  preVerificationGas: '0x1',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
};

async function stubOf(url: string, devnet: Devnet, version: EntryPointVersion): Promise<Address> {
  const operation = version === '0.6' ? { ...bare, initCode: '0x', paymasterAndData: '0x' } : bare;
  const params = [operation, devnet.entryPoints[version], `0x${devnet.chainId.toString(16)}`, {}];
  const answer = (await forward(url, { id: 1, method: 'pm_getPaymasterStubData', params })) as {
    result: { paymaster?: string; paymasterAndData?: string };
  };
  const { paymaster, paymasterAndData = '' } = answer.result;
  return getAddress(paymaster ?? paymasterAndData.slice(0, 42));
}

export async function openVendorLab(change: Partial<VendorConfig> = {}): Promise<VendorLab> {
  let behaviour: Behaviour | undefined;
  let mock = '';
  const vendor = await startRpcServer(async (request, response) =>
    behaviour === undefined ? respond(response, await forward(mock, request)) : behaviour(request, response),
  );
  const paymasters: Partial<Record<EntryPointVersion, Address>> = {};
  const settings = (changed: Partial<VendorConfig>): VendorConfig => ({
    url: new Secret(vendor.url),
    context: { sponsorshipPolicyId: 'sp_of_the_operator' },
    accounts: 'all',
    paymasters: Object.values(paymasters),
    budget: { usdMicrosPerDay: much, usdMicrosPerMonth: much, maxSharePerClient: 1 },
    maxPaymasterGas: 200_000,
    timeoutMs: 2_000,
    ...changed,
  });
  const withVendor = (config: CoreConfig, changed: Partial<VendorConfig>): CoreConfig => ({
    ...config,
    chains: config.chains.map((chain) => ({ ...chain, vendor: settings(changed) })),
  });
  const service = await startService({
    trustedProxies: ['127.0.0.1'],
    configure: async (config, devnet) => {
      mock = await startMockPaymaster(devnet.rpcUrl);
      for (const version of ['0.6', '0.7', '0.8'] as const) paymasters[version] = await stubOf(mock, devnet, version);
      return withVendor(config, change);
    },
  });
  const { devnet } = service;
  return {
    service,
    devnet,
    vendor,
    paymasters,
    honest: (request) => forward(mock, request),
    behave: (next) => {
      behaviour = next;
    },
    again: (changed, configure = (config) => config) =>
      startService({
        devnet,
        trustedProxies: ['127.0.0.1'],
        configure: (config) => configure(withVendor(config, changed)),
      }),
    close: async () => {
      await service.close();
      await vendor.close();
    },
  };
}

/** A paymaster whose tank was filled once and is empty now. */
export async function emptyTank(service: RunningService, version: EntryPointVersion): Promise<OwnedPaymaster> {
  const paymaster = await filledTank(service, version);
  await drain(service, paymaster);
  return paymaster;
}

export async function filledTank(service: RunningService, version: EntryPointVersion): Promise<OwnedPaymaster> {
  const paymaster = await openPaymaster(service, version);
  const wallet = privateKeyToAccount(freshKey());
  await chooseWallet(paymaster, wallet);
  await fillTank(service.devnet, version, wallet, parseEther('1'));
  await vi.waitFor(async () => expect(await availableOf(paymaster)).toBe(parseEther('1')), { timeout: 20_000 });
  return paymaster;
}

/** What the tank could hold for. */
export async function availableOf({ management, apiKey }: LabPaymaster): Promise<bigint> {
  return BigInt((await management.readGasTank({ apiKey })).available);
}

export async function drain({ core }: RunningService, paymaster: LabPaymaster): Promise<void> {
  const { paymasterId } = paymaster;
  const amount = await availableOf(paymaster);
  accepted(await core.adjustTank({ paymasterId, kind: 'debit', amount, reason: 'the test empties it' }));
}

export async function refill({ core }: RunningService, { paymasterId }: LabPaymaster): Promise<void> {
  const amount = parseEther('1');
  accepted(await core.adjustTank({ paymasterId, kind: 'credit', amount, reason: 'the test fills it' }));
}

/** An operation of a new account, with one call that the policy sponsors. */
export async function draft(devnet: Devnet, version: EntryPointVersion) {
  const account = newSmartAccount(version);
  const operation: DevUserOperation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  return { account, operation: { ...operation, ...plainLimits('undeployed') } };
}
