import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers, unixSeconds } from '../base/time/clock.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import type { Signer } from '../evm/signer/signer.ts';
import { recordSigner } from '../ledger/signers.ts';
import type { Store } from '../store/store.ts';
import { type Asked, checkContract } from './check-chain.ts';

/**
 * Checks once in `pollIntervalMs` whether contracts with an older signing key accept the newest one by now; if so, it signs.
 * A contract whose change could not be checked is checked again.
 */
export function followSigners(options: {
  readonly asked: Asked;
  readonly newest: Signer;
  readonly contracts: Map<string, PaymasterContractRuntime>;
  readonly pollIntervalMs: number;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): { close(): Promise<void> } {
  const { asked, newest, contracts, store, clock, logger, timers = createTimers(clock) } = options;
  const isBehind = ({ signer, fault }: PaymasterContractRuntime) =>
    fault === undefined && signer.address !== newest.address;
  const behind = () => [...contracts.values()].filter(isBehind);
  if (behind().length === 0) return { close: async () => undefined };
  const following = repeat(
    { clock, timers },
    options.pollIntervalMs,
    async () => {
      for (const contract of behind()) {
        if ((await checkContract(asked, contract, newest.address)) !== undefined) continue;
        const { chainId, address } = contract.location;
        await recordSigner(store, { chainId, contract: address, signer: newest.address, now: unixSeconds(clock) });
        contracts.set(contract.version, { ...contract, signer: newest });
        logger.info(
          { chainId, contract: address, signer: newest.address },
          'The newest key now signs for the contract',
        );
      }
      if (behind().length === 0) void following.close();
    },
    // The chain's watcher already reports that the node is unreachable.
    () => undefined,
  );
  return following;
}
