import { type Address, size } from 'viem';
import { type FeeModelName, feeModelOf } from '../../domain/chain-config.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { type DataFeeReader, noDataFee } from './data-fee.ts';

/** The `GasPriceOracle` predeploy of every OP-stack chain. */
export const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F';

/** Whether each client's chain has the oracle. The code of a predeploy stays; its absence is kept until a restart. */
const oracles = new WeakMap<ChainClient, Promise<boolean>>();

function hasOracle(client: ChainClient): Promise<boolean> {
  const known = oracles.get(client);
  if (known !== undefined) return known;
  const asked = client.getCode({ address: gasPriceOracle }).then((code) => code !== undefined && size(code) > 0);
  oracles.set(client, asked);
  asked.catch(() => oracles.delete(client));
  return asked;
}

/**
 * The fee model of the configuration, the known one of the chain's id, or that of the OP stack where its oracle has code.
 * Rejects when the chain cannot be asked.
 */
export async function findFeeModel(
  client: ChainClient,
  chain: { readonly chainId: number; readonly dataFee?: FeeModelName | undefined },
): Promise<FeeModelName> {
  return feeModelOf(chain) ?? ((await hasOracle(client)) ? 'op-stack' : 'none');
}

/** Reads the data fee by `ofOracle` on a chain with the oracle, and none on others. The first question finds out. */
export function dataFeeIfOracle(
  client: ChainClient,
  config: Pick<ChainConfig, 'chainId' | 'dataFee'>,
  ofOracle: DataFeeReader,
): DataFeeReader {
  let found: FeeModelName | undefined;
  return {
    inSimulation: (simulated) => (found === 'op-stack' ? ofOracle.inSimulation?.(simulated) : undefined),
    async ask(simulated) {
      try {
        found ??= await findFeeModel(client, config);
      } catch (error) {
        return refuse(explainNodeError(error));
      }
      return found === 'op-stack' ? ofOracle.ask(simulated) : accept(noDataFee);
    },
  };
}
