import { type Address, type Hex, isHex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { repeatInQuestions } from '../../node/rpc/question-body.ts';
import {
  entryPointSimulations07,
  entryPointSimulations08,
  entryPointSimulations09,
} from './entry-point-simulations.generated.ts';

/** Reads the code at an EntryPoint's address. */
export type EntryPointCode = (entryPoint: Address) => Promise<Result<Hex>>;

/** What has been read of each chain: whatever simulates on it with the same client shares that. */
const readOf = new WeakMap<ChainClient, Map<Address, Hex>>();

/** Reads the code of each configured EntryPoint once; a failed read is tried again by the next request. */
export function createEntryPointCode(client: ChainClient): EntryPointCode {
  const known = readOf.get(client) ?? new Map<Address, Hex>();
  readOf.set(client, known);
  return async (entryPoint) => {
    const cached = known.get(entryPoint);
    if (cached !== undefined) return accept(cached);
    try {
      const code = await client.getCode({ address: entryPoint });
      if (!isHex(code)) {
        return refuse({
          reason: 'CHAIN_UNAVAILABLE',
          message: `There is no EntryPoint at ${entryPoint} on this chain.`,
        });
      }
      repeatInQuestions(code);
      known.set(entryPoint, code);
      return accept(code);
    } catch (error) {
      return refuse(explainNodeError(error));
    }
  };
}

/** Code that simulates in place of the EntryPoint. 0.6 has its simulations on chain. */
export const simulationCode: Readonly<Partial<Record<EntryPointVersion, Hex>>> = {
  '0.7': entryPointSimulations07,
  '0.8': entryPointSimulations08,
  '0.9': entryPointSimulations09,
};
for (const code of Object.values(simulationCode)) repeatInQuestions(code);
