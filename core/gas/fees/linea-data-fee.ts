import { type Hex, hexToBigInt, size, slice } from 'viem';
import { accept, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, senselessAnswer } from '../../node/node-error.ts';
import { addDataFeeMargin } from '../simulation/estimation-limits.ts';
import { compressedBundle } from './bundle-transaction.ts';
import type { DataFeeReader } from './data-fee.ts';

/** The prices in a block of Linea, both in wei: per gas, and per byte of the compressed transaction. */
type LineaPrices = { readonly perGas: bigint; readonly perByte: bigint };

const weiInKiloWei = 1_000n;

/**
 * Linea charges data through the gas price: its sequencer accepts a transaction whose tip is at least `perGas + perByte ×
 * compressed bytes / gas`. The bundler receives the operation's tip; the data fee is what the tip does not cover.
 */
export function lineaDataFee(client: ChainClient, chainId: number): DataFeeReader {
  return {
    async ask(simulated) {
      try {
        const { extraData, baseFeePerGas } = await client.getBlock({ blockTag: 'latest' });
        const prices = readLineaPrices(extraData);
        if (prices === undefined) return notThere;
        const forData = prices.perByte * BigInt(size(compressedBundle(chainId, simulated)));
        return accept((gasUsed) => ({
          kind: 'wei',
          wei: addDataFeeMargin(forData + prices.perGas * gasUsed),
          baseFeePerGas: baseFeePerGas ?? 0n,
          gasWithTip: gasUsed,
        }));
      } catch (error) {
        return refuse(explainNodeError(error));
      }
    },
  };
}

/** `extraData` of a block: a version, then three prices in thousands of wei, four bytes each. The third is not needed. */
function readLineaPrices(extraData: Hex): LineaPrices | undefined {
  if (size(extraData) < 13 || slice(extraData, 0, 1) !== '0x01') return undefined;
  const price = (start: number) => hexToBigInt(slice(extraData, start, start + 4)) * weiInKiloWei;
  return { perGas: price(1), perByte: price(5) };
}

const notThere = refuse({
  ...senselessAnswer,
  message: 'The latest block has no Linea prices in its extraData. Correct dataFee in the configuration of the chain.',
});
