import { type Address, isAddressEqual } from 'viem';
import { StartError } from '../../domain/start-error.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';

type Keyed = Pick<ChainRuntime, 'config' | 'signers' | 'relay' | 'treasury'>;

/**
 * Refuses a hot wallet whose key has another role on any chain: a thief of one would get the other too, and an executor
 * sends transactions with its own nonces.
 *
 * @throws StartError that names the wallet and its other role.
 */
export function refuseSharedTreasury(chains: readonly Keyed[]): void {
  const used = chains.flatMap(({ config: { chainId }, signers, relay }) => [
    ...(signers?.().keys ?? []).map(({ address }) => ({ address, task: `a signer of chain ${chainId}` })),
    ...(relay?.contract.location.executors ?? []).map((address) => ({
      address,
      task: `an executor of chain ${chainId}`,
    })),
  ]);
  for (const { treasury, config } of chains) {
    const wallet: Address | undefined = treasury?.address;
    const other = wallet && used.find(({ address }) => isAddressEqual(address, wallet));
    if (other === undefined) continue;
    throw new StartError(
      `The treasury of chain ${config.chainId} is ${wallet}, which is also ${other.task}. Give the treasury a key of its own.`,
      { tryAgain: false },
    );
  }
}
