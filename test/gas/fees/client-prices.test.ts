import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBundlerClient as createAaSdkClient, defaultFeeEstimator } from '@aa-sdk/core';
import { fetchGasPrice, GasOption } from 'abstractionkit';
import { JsonRpcProvider } from 'ethers-6';
import { getUserOperationGasPrice } from 'permissionless/actions/pimlico';
import { createClient, createPublicClient, defineChain, http, numberToHex, parseGwei } from 'viem';
import { createBundlerClient, prepareUserOperation, type SmartAccount } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserOperation } from '../../../core/domain/user-operation.ts';
import { defaultGasPriceBounds, highestPrices } from '../../../core/gas/fees/gas-price-bounds.ts';
import { createChainClient } from '../../../core/node/chain-client.ts';
import { type FeeView, readFees } from '../../../core/node/read-fees.ts';
import { checkPriceNearChain } from '../../../core/sponsorship/permit/check-gas-price.ts';
import { operationWith, takeStep } from '../../support/core/step-lab.ts';

type Prices = Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** A chain's state, in gwei: what our node says of it, and the tip that the app's node suggests. */
type ChainState = {
  readonly base: string;
  readonly tip: string;
  readonly appTip: string;
  /** The median tip of the latest blocks; they are empty without one. */
  readonly paid?: string;
};

const states: Readonly<Record<string, ChainState>> = {
  'Base when it is quiet': { base: '0.01', tip: '0.001', appTip: '0.00125', paid: '0.001' },
  'Base, where blocks pay more than nodes suggest': { base: '0.01', tip: '0.001', appTip: '0.005', paid: '0.005' },
  'Ethereum when it is busy': { base: '20', tip: '1', appTip: '1.25', paid: '1' },
  'Ethereum when it is quiet, with a provider that suggests a multiple': {
    base: '0.5',
    tip: '0.02',
    appTip: '1',
    paid: '0.8',
  },
  'Polygon with its least tip of 25 gwei': { base: '0.5', tip: '25', appTip: '30', paid: '27' },
  'Polygon with its former one of 30': { base: '60', tip: '30', appTip: '37.5', paid: '30' },
  'Arbitrum, which pays no tips': { base: '0.1', tip: '0', appTip: '0', paid: '0' },
  'BNB Smart Chain without a base fee': { base: '0', tip: '0.1', appTip: '0.125', paid: '0.1' },
  'a development chain with empty blocks': { base: '0.000000007', tip: '1', appTip: '1' },
  'a development chain of another node': { base: '1', tip: '1', appTip: '1.25' },
};

type Request = { readonly id: number; readonly method: string };

let server: Server;
let url: string;
/** What the node says; the service and the clients ask it one after the other. */
let now: { readonly base: bigint; readonly tip: bigint; readonly paid: bigint | undefined };

function answer(method: string): unknown {
  const { base, tip, paid } = now;
  const word = (fill: string) => `0x${fill.repeat(32)}`;
  switch (method) {
    case 'eth_chainId':
      return '0x539';
    case 'net_version':
      return '1337';
    case 'eth_maxPriorityFeePerGas':
      return numberToHex(tip);
    case 'eth_gasPrice':
      return numberToHex(base + tip);
    case 'eth_blockNumber':
      return '0x64';
    case 'eth_feeHistory':
      return {
        oldestBlock: '0x5b',
        baseFeePerGas: Array(11).fill(numberToHex(base)),
        gasUsedRatio: Array(10).fill(paid === undefined ? 0 : 0.5),
        reward: Array(10).fill([numberToHex(paid ?? 0n)]),
      };
    case 'eth_getBlockByNumber':
      return {
        number: '0x64',
        hash: word('11'),
        parentHash: word('22'),
        timestamp: '0x65000000',
        nonce: '0x0000000000000000',
        difficulty: '0x0',
        gasLimit: numberToHex(36_000_000),
        gasUsed: numberToHex(18_000_000),
        extraData: '0x',
        miner: `0x${'33'.repeat(20)}`,
        transactions: [],
        baseFeePerGas: numberToHex(base),
        stateRoot: word('44'),
        receiptsRoot: word('55'),
        transactionsRoot: word('66'),
        logsBloom: word('00').padEnd(514, '0'),
        size: '0x1',
        sha3Uncles: word('77'),
        uncles: [],
        mixHash: word('88'),
      };
    default:
      throw new Error(`The client asks for ${method}.`);
  }
}

beforeAll(async () => {
  // ethers sends its requests in batches.
  server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Request | readonly Request[];
    const answers = await Promise.all([asked].flat().map(answerOne));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function answerOne({ id, method }: Request): Promise<object> {
  const result = method === 'pimlico_getUserOperationGasPrice' ? await altoPrices() : answer(method);
  return { jsonrpc: '2.0', id, result };
}

const chain = defineChain({
  id: 1_337,
  name: 'test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});
const transport = () => http(url, { retryCount: 0 });
const publicClient = () => createPublicClient({ chain, transport: transport(), cacheTime: 0 });

/** Percents of alto's `--gas-price-multipliers` as Pimlico's service has them. */
const speeds = { slow: 105n, standard: 110n, fast: 115n };

/** `pimlico_getUserOperationGasPrice` as alto 0.0.20 makes it: viem's fees, and for a tip of 0 a 200th of the price. */
async function altoPrices() {
  const { maxFeePerGas, maxPriorityFeePerGas } = await publicClient().estimateFeesPerGas();
  const tip = maxPriorityFeePerGas === 0n ? maxFeePerGas / 200n : maxPriorityFeePerGas;
  const fee = maxFeePerGas > tip ? maxFeePerGas : tip;
  const scaled = (percent: bigint) => ({
    maxFeePerGas: numberToHex((fee * percent) / 100n),
    maxPriorityFeePerGas: numberToHex((tip * percent) / 100n),
  });
  return { slow: scaled(speeds.slow), standard: scaled(speeds.standard), fast: scaled(speeds.fast) };
}

const clients: Readonly<Record<string, () => Promise<Prices>>> = {
  async viem() {
    const client = createBundlerClient({ chain, client: publicClient(), transport: transport() });
    const account = { entryPoint: { version: '0.7' }, address: `0x${'aa'.repeat(20)}` } as unknown as SmartAccount;
    const prepared = await prepareUserOperation(client, { account, callData: '0x', parameters: ['fees'] });
    return prepared as unknown as Prices;
  },
  async 'permissionless with alto'() {
    const prices = await getUserOperationGasPrice(createClient({ chain, transport: transport() }));
    return prices.fast;
  },
  async 'aa-sdk'() {
    const client = createAaSdkClient({ chain, transport: transport() });
    const estimate = defaultFeeEstimator(client as never);
    const empty = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
    return (await estimate(empty as never, { overrides: {}, feeOptions: {} } as never)) as unknown as Prices;
  },
  async 'ethers 6'() {
    const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
    provider.destroy();
    const legacy = gasPrice ?? 0n;
    return { maxFeePerGas: maxFeePerGas ?? legacy, maxPriorityFeePerGas: maxPriorityFeePerGas ?? legacy };
  },
  async abstractionkit() {
    const [maxFeePerGas, maxPriorityFeePerGas] = await fetchGasPrice(url, GasOption.Fast);
    return { maxFeePerGas, maxPriorityFeePerGas };
  },
};

function setNode({ base, paid }: ChainState, tip: string): void {
  now = { base: parseGwei(base), tip: parseGwei(tip), paid: paid === undefined ? undefined : parseGwei(paid) };
}

async function feesOf(state: ChainState): Promise<FeeView> {
  setNode(state, state.tip);
  const config = { chainId: chain.id, name: 'test', nodeUrls: [url], callTimeoutMs: 5_000, pollIntervalMs: 1_000 };
  const client = createChainClient(config);
  return readFees(client, await client.getBlock({ blockTag: 'latest' }));
}

async function check(fees: FeeView, prices: Prices) {
  const step = { operation: operationWith(prices), chain: { config: { chainId: chain.id } }, view: { fees } };
  return (await takeStep(checkPriceNearChain, step)).result;
}

describe.each(Object.entries(states))('on %s', (_, state) => {
  test.each(Object.entries(clients))('the default price of %s is signed', async (__, priceOf) => {
    const fees = await feesOf(state);
    setNode(state, state.appTip);
    expect(await check(fees, await priceOf())).toEqual({ ok: true, value: {} });
  });

  test('no more than two and a half of the highest tip, or a hundredth of the base fee, is signed', async () => {
    const fees = await feesOf(state);
    const { maxFeePerGas, maxPriorityFeePerGas } = highestPrices(fees, defaultGasPriceBounds);
    const [paid, suggested, base] = [state.paid ?? '0', state.tip, state.base].map(Number) as [number, number, number];
    expect(Number(maxPriorityFeePerGas)).toBeCloseTo(1e9 * Math.max(2.5 * paid, 2.5 * suggested, base / 100), -1);
    const above = maxPriorityFeePerGas + 1n;
    // A tip above the price is paid up to the price.
    const [price, field] = maxFeePerGas < above ? [above, 'maxFeePerGas'] : [maxFeePerGas, 'maxPriorityFeePerGas'];
    expect(await check(fees, { maxFeePerGas: price, maxPriorityFeePerGas: above })).toMatchObject({
      refusal: { reason: 'GAS_PRICE_TOO_HIGH', field },
    });
  });
});
