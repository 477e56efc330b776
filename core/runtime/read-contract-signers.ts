import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isAddressEqual } from 'viem';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers, unixSeconds } from '../base/time/clock.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { ContractSigner, ContractSignerState } from '../domain/signer-config.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import type { Signer, SignersNow } from '../evm/signer/signer.ts';
import { readSigners, recordSigner, type SignerRecord } from '../ledger/signers.ts';
import type { ChainRuntime } from '../sponsorship/run/sponsorship-parts.ts';
import type { Store } from '../store/store.ts';
import { type Asked, checkContract } from './check-chain.ts';

/** `Core.readSigners`: the configured keys of each contract, newest first, then its former signers. */
export async function readContractSigners(
  store: Pick<Store, 'db'>,
  chains: ReadonlyMap<number, ChainRuntime>,
): Promise<Result<readonly ContractSigner[]>> {
  const records = await readSigners(store);
  return accept(
    [...chains.values()].flatMap(({ contracts, signers }) =>
      signers === undefined
        ? []
        : distinctContracts(contracts).flatMap((contract) => signersOf(contract, signers(), records)),
    ),
  );
}

/** Each address once, even if two versions name it. */
function distinctContracts(contracts: ChainRuntime['contracts']): readonly PaymasterContractRuntime[] {
  return [...new Map([...contracts.values()].map((contract) => [contract.location.address, contract])).values()];
}

function signersOf(
  contract: PaymasterContractRuntime,
  { keys, complaints }: SignersNow,
  records: readonly SignerRecord[],
): readonly ContractSigner[] {
  const { chainId, address } = contract.location;
  const own = records.filter((record) => record.chainId === chainId && record.contract === address);
  const complaint = complaints?.get(contract.version);
  const signing = keys.findIndex((key) => isAddressEqual(key.address, contract.signer.address));
  const configured = keys.map((key, index): ContractSigner => {
    const state = complaints === undefined ? 'not-asked' : stateOf(index, contract.fault === undefined ? signing : -1);
    const record = own.find(({ signer }) => isAddressEqual(signer, key.address));
    return {
      chainId,
      contract: address,
      signer: key.address,
      state,
      places: key.where?.() ?? [],
      ...timesOf(record),
      // The check was about the newest key.
      ...(state === 'not-trusted' && index === 0
        ? omitAbsent({ complaint: complaint?.text ?? contract.fault, remedy: complaint?.remedy })
        : {}),
    };
  });
  const former = own
    .filter(({ signer }) => !keys.some((key) => isAddressEqual(key.address, signer)))
    .map((record): ContractSigner => {
      const { signer } = record;
      return { chainId, contract: address, signer, state: 'former', places: [], ...timesOf(record) };
    });
  return [...configured, ...former];
}

/** By its position among the keys, and the position of the signing one; -1 if none signs. */
function stateOf(index: number, signing: number): ContractSignerState {
  if (index === signing) return 'signs';
  return signing === -1 || index < signing ? 'not-trusted' : 'stands-by';
}

function timesOf(record: SignerRecord | undefined): Pick<ContractSigner, 'since' | 'until' | 'openUntil'> {
  if (record === undefined) return {};
  const { since, until, openUntil } = record;
  return { since, ...omitAbsent({ until, openUntil: until === undefined ? undefined : openUntil }) };
}

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
