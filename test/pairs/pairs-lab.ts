import type { JWTPayload } from 'jose';
import { type Address, encodeFunctionData, getAddress, numberToHex, parseEther, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { VendorConfig } from '../../core/domain/chain-config.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { accepted } from '../../server/accepted.ts';
import { type DevBundler, startDevBundler } from '../../server/dev/bundler/start-dev-bundler.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fillTank,
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  plainLimits,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { freeOperation, transfer } from '../support/relay/relay-lab.ts';
import { forward } from '../support/servers/json-rpc-server.ts';
import { startMockPaymaster } from '../support/servers/mock-paymaster.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc, type RpcAnswer } from '../support/service/chain-rpc.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { signTicket } from '../support/service/ticket-lab.ts';

/**
 * The ways a request can take: who pays the chain (the paymaster contract, a relay, another paymaster), a user who pays in a
 * token, and the answers that come before a signature.
 */
export const ways = ['contract', 'relay', 'vendor', 'token', 'quote', 'stub', 'preparation'] as const;
export type Way = (typeof ways)[number];

const version = '0.8' satisfies EntryPointVersion;

/** What a request has in addition to what its way needs. */
export type PairRequest = {
  readonly context?: Readonly<Record<string, unknown>>;
  /** Method of the target that is called, `increment` by default. */
  readonly calls?: 'increment' | 'record';
  /** Another apiKey of the way's paymaster. */
  readonly apiKey?: string;
  /** Operation fields that are sent instead of those of a plain operation. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

export type PairsLab = {
  readonly service: RunningService;
  readonly devnet: Devnet;
  paymaster(way: Way): LabPaymaster;
  /** Asks for a new sender, and says what the answer was: `accepted`, or the reason of the refusal. */
  outcome(way: Way, request?: PairRequest): Promise<string>;
  ask(way: Way, request?: PairRequest): Promise<RpcAnswer>;
  ticket(way: Way, claims?: JWTPayload): Promise<string>;
  close(): Promise<void>;
};

/** How each way is asked. The interface's own method states the end of what it signs. */
const methods: Readonly<Record<Way, string>> = {
  contract: 'pm_sponsorUserOperation',
  relay: 'tollfree_relayUserOperation',
  vendor: 'pm_sponsorUserOperation',
  token: 'pm_sponsorUserOperation',
  quote: 'pm_getFeeQuoteOrData',
  stub: 'pm_getPaymasterStubData',
  preparation: 'tollfree_prepareRelay',
};
const isOfInterface = (way: Way) => methods[way] === 'pm_sponsorUserOperation' || way === 'quote';

const isRelayed = (way: Way) => way === 'relay' || way === 'preparation';

/** One service in which each way is open, with a paymaster for each. */
export async function openPairsLab(): Promise<PairsLab> {
  const executor = privateKeyToAccount(deriveDevKey(8));
  let bundler: DevBundler | undefined;
  const service = await startService({
    configure: async (config, devnet) => {
      const [chain] = config.chains;
      if (chain === undefined) throw new Error('There is no chain.');
      bundler = await startDevBundler({ devnet, config: chain, account: executor, port: 0 });
      const relay = { kind: 'ALTO', url: bundler.url, executors: [executor.address], entryPoint: version } as const;
      const validity = { ...config.validity, maxSecondsByPolicy: 86_400 };
      return { ...config, validity, chains: [{ ...chain, relay, vendor: await openVendor(devnet) }] };
    },
  });
  const { devnet } = service;
  const paymasters = {
    contract: await openFunded(service),
    relay: await openRelayed(service, executor.address),
    vendor: await openEmptied(service),
  };
  const paymaster = (way: Way) => {
    if (isRelayed(way)) return paymasters.relay;
    return way === 'vendor' ? paymasters.vendor : paymasters.contract;
  };
  const secrets = new Map<string, Record<string, unknown>>();
  for (const { management, paymasterId } of Object.values(paymasters)) {
    const { secret = {} } = await management.createTicketKey({ paymasterId, name: 'backend', kind: 'EDDSA' });
    secrets.set(paymasterId, secret);
  }
  const ask = (way: Way, request: PairRequest = {}) => askOver(service, way, paymaster(way), request);
  return {
    service,
    devnet,
    paymaster,
    ask,
    outcome: async (way, request) => outcomeOf(await ask(way, request)),
    ticket: (way, claims) => {
      const { paymasterId } = paymaster(way);
      return signTicket(secrets.get(paymasterId) ?? {}, { aud: paymasterId, ...claims });
    },
    close: async () => {
      await service.close();
      await bundler?.close();
    },
  };
}

/** `accepted`, or the reason of the refusal. */
export function outcomeOf({ result, reason, message }: RpcAnswer): string {
  return result === undefined ? (reason ?? message ?? 'no reason') : 'accepted';
}

async function askOver(service: RunningService, way: Way, { rpcUrl }: LabPaymaster, request: PairRequest) {
  const { devnet } = service;
  const account = newSmartAccount(version);
  const plain = await nextOperation(devnet, account, [callOf(devnet, request)]);
  const { callData } = plain;
  const draft = isRelayed(way)
    ? await freeOperation(devnet, account, { callData })
    : { ...plain, ...plainLimits('undeployed') };
  const operation = { ...toRpcUserOperation(draft), ...request.fields };
  const context = { ...(await contextOf(devnet, way, draft.sender)), ...request.context };
  const at = [devnet.entryPoints[version], numberToHex(devnet.chainId)];
  const params = isOfInterface(way) ? [operation, context] : [operation, ...at, context];
  const url = request.apiKey === undefined ? rpcUrl : service.rpcUrl(request.apiKey);
  return askRpc(url, methods[way], params);
}

function callOf({ target }: Devnet, { calls = 'increment' }: PairRequest): DevCall {
  const of = { abi: target.abi, functionName: calls, args: calls === 'record' ? ['0x01'] : [] };
  return { to: target.address, data: encodeFunctionData(of) };
}

const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };

/** What the context of a way has. A sender that pays in a token gets some, and has approved the contract. */
async function contextOf(devnet: Devnet, way: Way, owner: Address) {
  if (!isOfInterface(way)) return {};
  const sponsored = { mode: 'SPONSORED', calculateGasLimits: false, sponsorshipInfo: { smartAccountInfo } };
  if (way !== 'token' && way !== 'quote') return sponsored;
  const token = tokenWith(devnet, 18);
  await fundWithTokens(devnet, token, { owner, spender: devnet.paymasterContracts[devnetFamilies[version]] });
  const { address } = token;
  return { ...sponsored, mode: 'ERC20', tokenInfo: { preferredToken: address, feeTokenAddress: address } };
}

const tankSize = parseEther('5');

async function openFunded(service: RunningService): Promise<LabPaymaster> {
  const paymaster = await openPaymaster(service, version);
  const wallet = await walletWith(service.devnet, parseEther('100'));
  await chooseWallet(paymaster, wallet);
  await fillTank(service.devnet, version, wallet, tankSize);
  await untilFilled(paymaster);
  return paymaster;
}

async function untilFilled({ management, apiKey }: LabPaymaster) {
  const available = async () => BigInt((await management.readGasTank({ apiKey })).available);
  await vi.waitFor(async () => expect(await available()).toBe(tankSize), { timeout: 30_000 });
}

/** Its tank was filled once and is empty now, so another paymaster takes over. */
async function openEmptied(service: RunningService): Promise<LabPaymaster> {
  const paymaster = await openFunded(service);
  const { paymasterId } = paymaster;
  const emptied = { paymasterId, kind: 'debit', amount: tankSize, reason: 'the test empties it' } as const;
  accepted(await service.core.adjustTank(emptied));
  return paymaster;
}

async function openRelayed(service: RunningService, executor: Address): Promise<LabPaymaster> {
  const paymaster = await openPaymaster(service, version);
  const wallet = await walletWith(service.devnet, parseEther('100'));
  await chooseWallet(paymaster, wallet);
  await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER' } });
  await transfer(service.devnet, wallet, { to: executor, value: tankSize });
  return paymaster;
}

const much = 10n ** 12n;

/** A published mock paymaster as the operator's other one. */
async function openVendor(devnet: Devnet): Promise<VendorConfig> {
  const url = await startMockPaymaster(devnet.rpcUrl);
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
  const params = [bare, devnet.entryPoints[version], numberToHex(devnet.chainId), {}];
  const answer = await forward(url, { id: 1, method: 'pm_getPaymasterStubData', params });
  const { paymaster } = (answer as { readonly result: { readonly paymaster: string } }).result;
  return {
    url: new Secret(url),
    context: {},
    accounts: 'all',
    paymasters: [getAddress(paymaster)],
    budget: { usdMicrosPerDay: much, usdMicrosPerMonth: much, maxSharePerClient: 1 },
    maxPaymasterGas: 200_000,
    timeoutMs: 10_000,
  };
}
