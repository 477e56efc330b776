import { type Address, type Hex, numberToHex, parseGwei, parseUnits, stringToHex } from 'viem';
import { gasPriceOracle } from '../../../core/gas/fees/find-fee-model.ts';
import type { WellKnownChain } from '../../chains/well-known-chain.ts';
import { devFeedBytecode, devFeeOracleBytecode } from './contracts.generated.ts';
import type { DevnetClient } from './devnet-client.ts';

/** Decimals of the feeds' answers. */
const feedDecimals = 8;
/** Usual on layer 2s. It falls while blocks are empty. */
const baseFee = parseGwei('0.01');

/**
 * Puts on a development chain what the service reads on a known one: its price and uptime feeds at their addresses, and the fee oracle of
 * the OP stack. A stablecoin costs a dollar, the coin `coinUsd`.
 */
export async function playChain(client: DevnetClient, known: WellKnownChain, coinUsd: string): Promise<void> {
  const { feed, sequencerFeed, tokens } = known;
  await placeFeed(client, feed.aggregator, { answer: parseUnits(coinUsd, feedDecimals), of: `${feed.of} / USD` });
  for (const { feed: own } of tokens) {
    await placeFeed(client, own.aggregator, { answer: parseUnits('1', feedDecimals), of: `${own.of} / USD` });
  }
  // 0: the sequencer runs.
  if (sequencerFeed !== undefined) await placeFeed(client, sequencerFeed, { answer: 0n, of: 'Sequencer' });
  await client.setCode({ address: gasPriceOracle, bytecode: await runtimeOf(client, devFeeOracleBytecode) });
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee });
  await client.mine({ blocks: 1 });
}

async function placeFeed(
  client: DevnetClient,
  address: Address,
  { answer, of }: { readonly answer: bigint; readonly of: string },
): Promise<void> {
  await client.setCode({ address, bytecode: await runtimeOf(client, devFeedBytecode) });
  // A text of up to 31 bytes is in its slot itself, with twice its length in the last byte.
  const text: Hex = `${stringToHex(of, { size: 32 }).slice(0, -2) as Hex}${(of.length * 2).toString(16).padStart(2, '0')}`;
  for (const [slot, value] of [numberToHex(answer, { size: 32 }), text].entries()) {
    await client.setStorageAt({ address, index: numberToHex(slot, { size: 32 }), value });
  }
}

/** The code that a contract without a constructor has on the chain. */
async function runtimeOf(client: DevnetClient, creationCode: Hex): Promise<Hex> {
  const { data } = await client.call({ data: creationCode });
  if (data === undefined) throw new Error('The node does not run creation code.');
  return data;
}
