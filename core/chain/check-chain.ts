import type { Address } from 'viem';
import type { ChainConfig } from '../core-config.ts';
import { preflights } from '../paymaster-contracts/preflights.ts';
import { StartError } from '../start-error.ts';
import type { ChainClient } from './chain-client.ts';
import type { PaymasterContractRuntime } from './chain-runtime.ts';

/**
 * Looks whether the chain has what the configuration says: its id, code at the EntryPoints and paymaster contracts, our
 * signer among the contract's own, and the contract's digest equal to ours.
 *
 * @throws StartError with the first thing that is not so.
 */
export async function checkChain(input: {
  readonly client: ChainClient;
  readonly config: ChainConfig;
  readonly contracts: readonly PaymasterContractRuntime[];
  readonly signer: Address;
}): Promise<void> {
  const { client, config } = input;
  const chainId = await ask(config, client.getChainId());
  if (chainId !== config.chainId) {
    throw mistake(`The node of chain ${config.chainId} answers for chain ${chainId}.`);
  }
  for (const { place, version, family } of input.contracts) {
    await requireCode(input, place.entryPoint, `EntryPoint ${family.entryPointVersion}`);
    await requireCode(input, place.address, `The paymaster contract of version ${version}`);
  }
  for (const contract of input.contracts) await checkContract(input, contract);
}

async function checkContract(
  input: { readonly client: ChainClient; readonly config: ChainConfig; readonly signer: Address },
  { family, place, version }: PaymasterContractRuntime,
): Promise<void> {
  const preflight = preflights.get(family.name);
  for (const check of preflight?.(family, place, input.signer) ?? []) {
    const call = input.client.call({ to: place.address, data: check.data });
    const { data } = await ask(input.config, call);
    if (data !== check.expected) {
      throw mistake(
        `The paymaster contract of version ${version} at ${place.address} on chain ${place.chainId} ${check.complaint}.`,
      );
    }
  }
}

async function requireCode(
  input: { readonly client: ChainClient; readonly config: ChainConfig },
  address: Address,
  what: string,
): Promise<void> {
  const code = await ask(input.config, input.client.getCode({ address }));
  if (code === undefined || code === '0x') {
    throw mistake(`${what} has no code at ${address} on chain ${input.config.chainId}.`);
  }
}

async function ask<T>(config: ChainConfig, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch {
    throw new StartError(`The node of chain ${config.chainId} does not answer.`, { tryAgain: true });
  }
}

function mistake(message: string): StartError {
  return new StartError(message, { tryAgain: false });
}
