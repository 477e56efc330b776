import { type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { Secret } from '../../core/base/values/secret.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { devMnemonic } from '../../server/dev/devnet/dev-keys.ts';
import { createDevnetClient } from '../../server/dev/devnet/devnet-client.ts';
import { startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { forward, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const chainId = 31_337;
const compiled = compileSolidity(new URL('contracts/PriceFeeds.sol', import.meta.url).pathname);
const feedAbi = parseAbi([
  'function set(int256 answer, uint256 startedAt, uint256 updatedAt)',
  'function moveTo(int56 tick)',
]);

/** A clock that stands still until it is moved. */
export function createTestClock(seconds: number) {
  let milliseconds = seconds * 1_000;
  return {
    now: () => milliseconds,
    moveTo: (unixSeconds: number) => {
      milliseconds = unixSeconds * 1_000;
    },
    pass: (seconds: number) => {
      milliseconds += seconds * 1_000;
    },
  };
}

/** A chain with feeds on it, and a client that reaches it through a server which counts what is asked. */
export async function startPriceLab() {
  const anvil = await startAnvil({ port: 0, chainId });
  const devnet = createDevnetClient(anvil.rpcUrl, chainId);
  const account = mnemonicToAccount(devMnemonic);
  const server = await startRpcServer(async (request, response) =>
    respond(response, await forward(anvil.rpcUrl, request)),
  );
  const config: ChainConfig = {
    chainId,
    name: 'Test chain',
    nodeUrls: [server.url],
    callTimeoutMs: 5_000,
    entryPoints: {},
    paymasterContracts: [],
    tokens: [],
    nativePrice: { sources: [], minimumSources: 1, maximumDeviationBasisPoints: 200 },
    signer: { kind: 'raw', privateKey: new Secret<Hex>('0x01') },
    confirmations: 0,
    pollIntervalMs: 1_000,
    startBlock: 0n,
  };

  async function send(call: { to?: Address; data: Hex }) {
    const hash = await devnet.sendTransaction({ account, ...call });
    return devnet.waitForTransactionReceipt({ hash });
  }

  async function deploy(name: string, args: readonly unknown[]): Promise<Address> {
    const contract = compiled.get(name);
    if (contract === undefined) throw new Error(`${name} did not compile.`);
    const data = encodeDeployData({ abi: contract.abi, bytecode: contract.creationBytecode, args: [...args] });
    const { contractAddress } = await send({ data });
    if (!contractAddress) throw new Error(`${name} was not deployed.`);
    return contractAddress;
  }

  async function call(to: Address, data: Hex): Promise<void> {
    const { status } = await send({ to, data });
    if (status !== 'success') throw new Error('A feed could not be set.');
  }

  return {
    config,
    client: createChainClient(config),
    devnet,
    requests: server.requests,
    /** Time of the latest block, in Unix seconds. */
    chainTime: async () => Number((await devnet.getBlock()).timestamp),
    /** Mines a block this many seconds after the latest one. */
    passChainTime: async (seconds: number) => {
      const { timestamp } = await devnet.getBlock();
      await devnet.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) });
      await devnet.mine({ blocks: 1 });
    },
    deployToken: (decimals: number) => deploy('TestPooledToken', [decimals]),
    deployPool: (tokens: readonly [Address, Address], tick: number) => deploy('TestPool', [...tokens, tick]),
    movePool: (pool: Address, tick: number) =>
      call(pool, encodeFunctionData({ abi: feedAbi, functionName: 'moveTo', args: [BigInt(tick)] })),
    deployAggregator: (decimals: number) => deploy('TestAggregator', [decimals]),
    /** Times in Unix seconds. */
    setAggregator: (feed: Address, round: { answer: bigint; startedAt?: number; updatedAt?: number }) => {
      const args = [round.answer, BigInt(round.startedAt ?? 1), BigInt(round.updatedAt ?? 1)] as const;
      return call(feed, encodeFunctionData({ abi: feedAbi, functionName: 'set', args }));
    },
    close: async () => {
      await server.close();
      await anvil.close();
    },
  };
}

export type PriceLab = Awaited<ReturnType<typeof startPriceLab>>;
