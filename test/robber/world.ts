import { setTimeout } from 'node:timers/promises';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type Address,
  concat,
  createPublicClient,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  type SignedAuthorization,
  type TransactionReceipt,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { RelayConfig } from '../../core/domain/chain-config.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { UnitPrices } from '../../core/domain/unit-prices.ts';
import { fillingCall } from '../../core/evm/paymaster-contracts/filling-call.ts';
import { readGasSchedule } from '../../core/gas/gas-schedule.ts';
import { accepted } from '../../server/accepted.ts';
import { create2Deployer } from '../../server/dev/devnet/deployments.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { familyOf } from '../support/paymaster-contracts/biconomy-table.ts';
import { type DeployedFamilies, deployFamilies } from '../support/paymaster-contracts/deploy-families.ts';
import { type RpcServer, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { versionOfFamily } from '../support/service/production-config.ts';
import { openTank, type ProductionTank } from '../support/service/production-tank.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { type LyingBundler, startLyingBundler } from './asking/lying-bundler.ts';
import { type RelayBundler, startRelayBundler } from './asking/relay-bundler.ts';
import { compiledContract } from './compiled-contract.ts';
import { relayedVersion } from './relayed-version.ts';

export type Sent = {
  readonly to: Address;
  readonly data: Hex;
  readonly authorizationList?: readonly SignedAuthorization[];
};

/** Who sends bundles. */
export type Wallet = {
  readonly address: Address;
  /** Sends a transaction, in a block of its own with the world's base fee. */
  send(transaction: Sent): Promise<TransactionReceipt>;
};

/** A chain, a service on it, and two bundlers. */
export type World = {
  readonly devnet: Devnet;
  readonly attacker: Wallet;
  readonly honest: Wallet;
  /** Relays what the service hands over: the executor's coin pays for the bundles. */
  readonly relay: Pick<RelayBundler, 'expect'> & { readonly executor: Wallet };
  /** A contract of the attacker's that makes bytes in memory. */
  readonly generator: Address;
  /** Of the attacker's: it sets and clears storage when a sponsored method calls it. */
  readonly receiver: Address;
  /** A sponsored contract with methods that let a caller decide what they cost. */
  readonly target: Address;
  /** Of every block, in wei. */
  readonly baseFee: bigint;
  /** What the node suggests, in wei. */
  readonly tip: bigint;
  /** What the chain charges for steps of contracts, in gas. */
  readonly prices: UnitPrices;
  /** Puts code on the chain, once for each salt; the same salt when absent. */
  deploy(creationCode: Hex, salt?: bigint): Promise<Address>;
  /** A new paymaster with coin in its tank. */
  openTank(family: string, policy?: object): Promise<ProductionTank>;
  /** A new paymaster whose operations are relayed, with coin in the tank of the relay. */
  openRelayTank(policy?: object): Promise<ProductionTank>;
  /** Another tenant's paymaster with the contract of the family and the default policy. */
  otherTank(family: string): Promise<ProductionTank>;
  /** What other tenants have paid, in wei. Nothing that they signed has landed. */
  paidByOthers(): Promise<bigint>;
  /** Estimates for the service, where it has a bundler. */
  readonly bundler?: LyingBundler;
  close(): Promise<void>;
};

export type WorldOptions = {
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** Contracts of every family, and not of the development chain's own alone. */
  readonly allFamilies: boolean;
  /** The operator names its bundlers: the honest one, and not the attacker. */
  readonly namesBundlers: boolean;
  /** The service asks a bundler for limits, which answers what the attacker wants. */
  readonly asksBundler: boolean;
};

/** How often the service reads what gas costs. */
export const pollIntervalMs = 100;
/** Until the service has read what is confirmed. */
const settlingMs = 2_000;
const tankAmount = parseEther('10000');
/** The most gas of a transaction (EIP-7825). */
const bundleGas = 16_777_216n;
/** The key of the attacker's wallet. */
export const attacker = privateKeyToAccount(`0x${'0bb7'.repeat(16)}`);
const honest = privateKeyToAccount(`0x${'0600'.repeat(16)}`);
const executor = privateKeyToAccount(`0x${'0e7c'.repeat(16)}`);
const allowlistAbi = parseAbi(['function updateBundlerAllowlist(address[] bundlers, bool allowed)']);

/** Starts a node and a service of their own, with a contract of the families. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { baseFee, tip, allFamilies, namesBundlers, asksBundler } = options;
  let node: RpcServer | undefined;
  let bundler: LyingBundler | undefined;
  let families: DeployedFamilies = new Map();
  const relayServer = await startRelayBundler();
  const service = await startService({
    ownNode: true,
    async configure(config, devnet) {
      families = allFamilies ? await deployAll(devnet) : ownFamilies(devnet);
      const own = namesBundlers ? await nameBundlers(devnet) : {};
      const suggesting = await suggestTip(devnet.rpcUrl, tip);
      node = suggesting;
      const paymasterContracts = [...families].map(([family, { contract }]) => ({
        version: versionOfFamily(family),
        family,
        address: contract.address,
        tokenRecipient: devnet.tokenRecipient,
      }));
      const chains = config.chains.map((plain) => ({
        ...plain,
        nodeUrls: [suggesting.url],
        paymasterContracts,
        callTimeoutMs: 20_000,
        pollIntervalMs,
        // What an operator lets an operation cost where gas is at times as expensive as this.
        maxCostPerOperation: parseEther('1'),
        relay: {
          kind: 'ALTO',
          url: relayServer.url,
          executors: [executor.address],
          entryPoint: relayedVersion,
        } satisfies RelayConfig,
        ...own,
      }));
      const [chain] = chains;
      if (!asksBundler || chain === undefined) return { ...config, chains };
      bundler = await startLyingBundler(devnet, chain);
      const asked = { urls: [bundler.url], expose: 'NONE', asksForLimits: true } as const;
      return { ...config, chains: [{ ...chain, bundler: asked }] };
    },
  });
  const { devnet } = service;
  for (const { address } of [attacker, honest, executor]) {
    await devnet.client.setBalance({ address, value: parseEther('1000000') });
  }
  const walletOf = (account: PrivateKeyAccount): Wallet => ({
    address: account.address,
    send: sender(devnet, account, baseFee),
  });
  const own = walletOf(attacker);
  const deploy = deployer(devnet, own.send);
  const management = await managementOfNewAccount(service);
  const managementOfOther = await managementOfNewAccount(service);
  const target = await deploy(compiledContract('SponsoredTarget'));
  const openOf = async (tenant: ManagementClient, wanted: { readonly family: string; readonly policy?: object }) => {
    const tank = await openFilledTank({ service, families, management: tenant }, wanted);
    const methods = ['collect', 'note', 'settle'];
    await tenant.registerSmartContract({
      apiKey: tank.apiKey,
      name: 'costly',
      address: target,
      abi: targetAbi,
      whitelistedMethods: methods,
    });
    return tank;
  };
  // A new paymaster's cap follows from the price that the service knows.
  await setTimeout(3 * pollIntervalMs);
  const others = new Map<string, Promise<ProductionTank>>();
  return {
    ...omitAbsent({ bundler }),
    devnet,
    attacker: own,
    honest: walletOf(honest),
    baseFee,
    tip,
    prices: await readPrices(devnet),
    deploy,
    receiver: await deploy(compiledContract('GreedyReceiver')),
    target,
    generator: await deploy(compiledContract('GeneratingBundler')),
    relay: { executor: walletOf(executor), expect: relayServer.expect },
    openTank: (family, policy) => openOf(management, omitAbsent({ family, policy })),
    openRelayTank: async (policy) => {
      const family = devnetFamilies[relayedVersion];
      const tank = await openOf(management, { family, policy: { ...policy, relay: 'ONLY' } });
      await fillRelayTank(devnet, tank);
      return tank;
    },
    otherTank: (family) => {
      const known = others.get(family) ?? openOf(managementOfOther, { family });
      others.set(family, known);
      return known;
    },
    paidByOthers: async () => {
      await mineConfirmations(devnet);
      await setTimeout(settlingMs);
      const tanks = await Promise.all(others.values());
      const read = await Promise.all(tanks.map(({ apiKey }) => managementOfOther.readGasTank({ apiKey })));
      return read.reduce((paid, { settled }) => paid + BigInt(settled), 0n);
    },
    close: async () => {
      await service.close();
      await bundler?.close();
      await relayServer.close();
      await node?.close();
    },
  };
}

async function readPrices({ rpcUrl }: Devnet): Promise<UnitPrices> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const { schedule } = accepted(await readGasSchedule(client));
  return schedule;
}

async function managementOfNewAccount(service: RunningService): Promise<ManagementClient> {
  const { authToken } = await service.issueAccount();
  return service.managementOf(authToken);
}

/** A node that suggests this tip, and is the chain's otherwise. */
function suggestTip(chainUrl: string, tip: bigint): Promise<RpcServer> {
  return startRpcServer(async (request, response) => {
    if (request.method === 'eth_maxPriorityFeePerGas') return respondResult(response, request, numberToHex(tip));
    const answer = await fetch(chainUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...request }),
    });
    respond(response, await answer.text());
  });
}

/** The methods of {@link World.target}. */
export const targetAbi = parseAbi([
  'function collect(address receiver, uint256 slots)',
  'function note(bytes data)',
  'function leaveWork(address account, uint256 slots)',
  'function settle()',
]);

/** Has the contracts that can take bundles of named bundlers alone allow the honest one. */
async function nameBundlers({ client, paymasterContracts }: Devnet): Promise<Partial<ChainConfig>> {
  const manager = privateKeyToAccount(leasedSignerKey);
  await client.setBalance({ address: manager.address, value: parseEther('10') });
  const data = encodeFunctionData({ abi: allowlistAbi, args: [[honest.address], true] });
  for (const to of Object.values(paymasterContracts)) {
    await sendInOrder(client, manager, [{ description: 'allowing the bundler', to, data, gas: 200_000n }]);
  }
  return { allowedBundlers: [honest.address] };
}

function deployAll(devnet: Devnet): Promise<DeployedFamilies> {
  const signer = privateKeyToAccount(leasedSignerKey);
  return deployFamilies({ devnet, signer, close: async () => undefined });
}

function ownFamilies({ chainId, paymasterContracts, entryPoints }: Devnet): DeployedFamilies {
  return new Map(
    entryPointVersions.map((version) => {
      const name = devnetFamilies[version];
      const contract = { chainId, address: paymasterContracts[name], entryPoint: entryPoints[version] };
      return [name, { family: familyOf({ name }), contract }];
    }),
  );
}

function sender({ client, chainId }: Devnet, account: PrivateKeyAccount, baseFee: bigint): Wallet['send'] {
  let nonce: number | undefined;
  return async ({ to, data, authorizationList }) => {
    nonce ??= await client.getTransactionCount({ address: account.address });
    const method = 'anvil_setNextBlockBaseFeePerGas';
    await client.transport.request({ method, params: [numberToHex(baseFee)] });
    const plain = { chainId, to, data, nonce, gas: bundleGas, maxFeePerGas: baseFee, maxPriorityFeePerGas: 0n };
    const serializedTransaction = await account.signTransaction(
      authorizationList === undefined || authorizationList.length === 0
        ? { ...plain, type: 'eip1559' }
        : { ...plain, type: 'eip7702', authorizationList: [...authorizationList] },
    );
    const hash = await client.sendRawTransaction({ serializedTransaction });
    nonce += 1;
    return client.waitForTransactionReceipt({ hash });
  };
}

function deployer({ client }: Devnet, send: Wallet['send']): World['deploy'] {
  return async (bytecode, number = 0n) => {
    const salt = numberToHex(number, { size: 32 });
    const address = getCreate2Address({ from: create2Deployer, salt, bytecode });
    if ((await client.getCode({ address })) !== undefined) return address;
    await send({ to: create2Deployer, data: concat([salt, bytecode]) });
    if ((await client.getCode({ address })) === undefined) throw new Error('The code was not deployed.');
    return address;
  };
}

/** Fills the tank of the relay: a transfer of the funding wallet to an executor. */
async function fillRelayTank(devnet: Devnet, { apiKey, wallet, management }: ProductionTank): Promise<void> {
  await devnet.client.setBalance({ address: wallet.address, value: 2n * tankAmount });
  const filling = { description: 'a filling of the relay', to: executor.address, data: '0x', gas: 100_000n } as const;
  await sendInOrder(devnet.client, wallet, [{ ...filling, value: tankAmount }]);
  while (BigInt((await management.readGasTank({ apiKey })).relay?.available ?? 0n) === 0n) {
    await devnet.client.mine({ blocks: 1 });
  }
}

type Maker = {
  readonly service: RunningService;
  readonly families: DeployedFamilies;
  readonly management: ManagementClient;
};

async function openFilledTank(
  { service: { devnet, rpcUrl }, families, management }: Maker,
  wanted: { readonly family: string; readonly policy?: object },
): Promise<ProductionTank> {
  const { family } = wanted;
  const tank = await openTank({ devnet, families, management, rpcUrl }, wanted);
  const deployed = families.get(family);
  if (deployed === undefined) throw new Error(`There is no contract of ${family}.`);
  const { to, data } = fillingCall(deployed.contract, tank.wallet.address, deployed.family.customerFunding);
  await devnet.client.setBalance({ address: tank.wallet.address, value: 2n * tankAmount });
  await sendInOrder(devnet.client, tank.wallet, [
    { description: 'a filling', to, data, value: tankAmount, gas: 300_000n },
  ]);
  const { apiKey } = tank;
  while (BigInt((await management.readGasTank({ apiKey })).available) === 0n) {
    await devnet.client.mine({ blocks: 1 });
  }
  return tank;
}
