import { type Address, getAddress, zeroAddress } from 'viem';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers, unixSeconds } from '../base/time/clock.ts';
import { maxBigint } from '../base/values/integers.ts';
import { createRelayBundler } from '../bundling/relay-bundler.ts';
import { feeModelOf } from '../domain/chain-config.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import { StartError } from '../domain/start-error.ts';
import type { PaymasterContractFamily } from '../evm/paymaster-contracts/family/family.ts';
import { noMarkup } from '../evm/paymaster-contracts/family/terms.ts';
import type { Signer } from '../evm/signer/signer.ts';
import { feeModels } from '../gas/fees/fee-models.ts';
import { readDueRelays, tidyRelays } from '../ledger/holds/relayed-operations.ts';
import { createRelayQueue, watchRelay } from '../ledger/relay-queue.ts';
import type { ChainClient } from '../node/chain-client.ts';
import type { ChainRelay, Watched } from '../node/followed-chain.ts';
import { asLeader } from '../store/leading.ts';
import type { Store } from '../store/store.ts';
import { type Running, whileLeading } from './leading/while-leading.ts';

/** Relayed operations need no signature of ours. */
const noSigner: Signer = {
  address: zeroAddress,
  signDigest: async () => {
    throw new Error('A relayed operation has no signature of a paymaster.');
  },
};

/**
 * The relay of a chain, identified in the ledger by the address of its EntryPoint. Undefined if none is configured.
 *
 * @throws StartError when the chain has no such EntryPoint.
 */
export function openRelay(config: ChainConfig, { clock }: { readonly clock: Clock }): ChainRelay | undefined {
  const { relay, chainId } = config;
  if (relay === undefined) return undefined;
  const entryPoint = config.entryPoints[relay.entryPoint];
  if (entryPoint === undefined) {
    throw new StartError(
      `The relay of chain ${chainId} is for EntryPoint ${relay.entryPoint}, which none of the chain's paymasterContracts uses.`,
      { tryAgain: false },
    );
  }
  if (feeModels[feeModelOf(config) ?? 'none'].chargesGasLimit === true) {
    throw new StartError(
      `Chain ${chainId} charges the gas limit of a transaction, whose share no operation tells. Remove the relay of this chain.`,
      { tryAgain: false },
    );
  }
  const address = getAddress(entryPoint);
  return {
    bundler: createRelayBundler({ kind: relay.kind, url: relay.url, clock }),
    contract: {
      version: 'relay',
      family: relayFamily(relay.entryPoint),
      signer: noSigner,
      tokenRecipient: zeroAddress,
      priceMarkup: noMarkup,
      premiumBasisPoints: 0,
      location: { chainId, address, entryPoint: address, executors: relay.executors.map((one) => getAddress(one)) },
    },
  };
}

/** The relay in the form of the chain's watcher. */
export function watchedRelay({ contract: { location } }: ChainRelay, { store }: { readonly store: Store }): Watched {
  const { chainId, address, entryPoint, executors = [] } = location;
  return { entryPoint, contracts: [{ address, relay: watchRelay(store, { chainId, contract: address, executors }) }] };
}

/** Milliseconds between two turns, and most operations sent in one. */
const betweenTurns = 1_000;
const maxAtOnce = 50;

type Options = ChainRelay & {
  readonly client: ChainClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
};

/**
 * While this process leads, sends due operations that have not landed to the bundler: those whose request ended early, those
 * that the bundler did not answer, and once a minute those that it has taken.
 */
export function startSendingRelays(options: Options): Running {
  const { store } = options;
  return whileLeading(store.leadership, () => startSending({ ...options, store: asLeader(store) }));
}

function startSending(options: Options): Running {
  const { clock, logger, timers = createTimers(clock) } = options;
  return repeat(
    { clock, timers },
    betweenTurns,
    () => sendDueRelays(options),
    (cause) => logger.error({ err: cause }, 'Relayed operations could not be sent; trying again'),
  );
}

/** One turn. */
export async function sendDueRelays({ contract, bundler, client, store, clock, logger }: Options): Promise<void> {
  const { chainId, address } = contract.location;
  const relay = { chainId, contract: address };
  const queue = createRelayQueue({ store, clock, logger });
  const due = await readDueRelays(store.db, relay, { now: unixSeconds(clock), limit: maxAtOnce });
  await Promise.all(
    due.map(({ userOperationHash, holdId, sender, nonce }) =>
      queue.handOver({
        ...relay,
        userOperationHash,
        holdId,
        bundler,
        client,
        sender: sender as Address,
        nonce: BigInt(nonce),
      }),
    ),
  );
  await tidyRelays(store, relay, unixSeconds(clock));
}

/**
 * Represents the paymaster contract of operations without one: nothing is added to the operation or signed. The maximum cost
 * is what the executors pay for its gas, with the price and overhead of the terms.
 */
function relayFamily(entryPointVersion: EntryPointVersion): PaymasterContractFamily {
  return {
    name: `relay-${entryPointVersion}`,
    entryPointVersion,
    modes: ['SPONSORED'],
    // Nothing is signed. What is held for an operation ends by itself, as it does for a signature (`priceRelay`).
    signatureExpiry: 'window',
    paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
    prepare: () => ({ unsigned: '0x', digest: '0x' }),
    assemble: () => '0x',
    stub: () => '0x',
    worstCase: ({ gas }, signedTerms) => {
      const relay = signedTerms.mode === 'SPONSORED' ? signedTerms.relay : undefined;
      if (relay === undefined) throw new TypeError('A relayed operation has no price yet.');
      const overhead = maxBigint(gas.preVerificationGas, relay.overheadGas);
      return (gas.callGasLimit + gas.verificationGasLimit + overhead) * relay.gasPrice + relay.dataFee;
    },
    maximumTokenCharge: () => 0n,
    preflight: () => [],
  };
}
