import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../base/logger.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import { type Signer, SignerConfigError, type SignersNow } from '../evm/signer/signer.ts';
import { readSigners, recordSigner } from '../ledger/signers.ts';
import type { ChainClient } from '../node/chain-client.ts';
import type { SigningNote } from '../node/signers/create-remote-signer.ts';
import { openSigner, type SignerContext } from '../node/signers/open-signer.ts';
import type { Store } from '../store/store.ts';
import { type Asked, type Complaint, type ContractVerdict, checkChain, checkContract } from './check-chain.ts';
import { followSigners } from './read-contract-signers.ts';

/** The keys of a chain, and which of them signs for each of its paymaster contracts. */
export type ChainSigners = {
  /**
   * Checks that the chain matches the configuration, and which key each contract accepts.
   *
   * @throws StartError when something in the configuration is missing on the chain.
   */
  connect(): Promise<void>;
  /** Starts checking whether contracts with an older signing key accept the newest one by now. */
  follow(): void;
  /**
   * Switches to other keys without an interruption of signing.
   *
   * @throws StartError when a contract would be left without a key, or the chain does not answer: then nothing changes.
   */
  change(keys: ChainKeys): Promise<void>;
  /** The configured keys, newest first, and what is wrong with the contracts. */
  now(): SignersNow;
  close(): Promise<void>;
};

type Keys = readonly [Signer, ...Signer[]];
type Parts = {
  readonly config: ChainConfig;
  readonly client: ChainClient;
  readonly configured: readonly PaymasterContractRuntime[];
  /** The contracts of `configured`, each with its key or its fault; used for signing. */
  readonly contracts: Map<string, PaymasterContractRuntime>;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly noteSigning?: SigningNote | undefined;
};

/** The keys of a chain at startup, before anything was asked. */
export function createChainSigners(parts: Parts, first: Keys): ChainSigners {
  let keys = first;
  const everOpened = [...first];
  let complaints: ReadonlyMap<string, Complaint> | undefined;
  let following: { close(): Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const follow = () => {
    const { client, config } = parts;
    following = followSigners({
      asked: { client, config },
      newest: keys[0],
      pollIntervalMs: config.pollIntervalMs,
      ...parts,
    });
  };
  const adopt = async (candidates: Keys, verdicts: ReadonlyMap<string, ContractVerdict>) => {
    const judged = withVerdicts(parts, candidates, verdicts);
    await recordSigners(parts, judged, parts);
    keys = candidates;
    complaints = new Map(
      [...verdicts].flatMap(([version, { complaint }]) => (complaint === undefined ? [] : [[version, complaint]])),
    );
    for (const contract of judged) parts.contracts.set(contract.version, contract);
  };
  return {
    connect: () =>
      inTurn(async () => {
        await checkContracts(keys);
        const verdicts = await judge(parts, keys);
        refuseWithoutContract(verdicts);
        await adopt(keys, verdicts);
      }),
    follow,
    now: () => ({ keys, complaints }),
    change: (next) =>
      inTurn(async () => {
        const { logger, noteSigning: note } = parts;
        const opened = await openSigners(next, { chainId: parts.config.chainId, logger, note });
        everOpened.push(...opened);
        if (following === undefined) {
          keys = opened;
          return;
        }
        await checkContracts(opened);
        const verdicts = await judge(parts, opened);
        refuseLosing(parts, verdicts);
        await following.close();
        try {
          await adopt(opened, verdicts);
        } finally {
          follow();
        }
      }),
    close: async () => {
      await last;
      await following?.close();
      // Not earlier: a former key may still be signing a request that began with it.
      for (const { backends } of everOpened) backends?.close();
    },
  };
}

/** @throws StartError when a remote key is not available. */
async function checkContracts(keys: Keys): Promise<void> {
  for (const { backends } of keys) await backends?.check();
}

function judge({ client, config, configured }: Parts, keys: Keys): Promise<ReadonlyMap<string, ContractVerdict>> {
  return checkChain({ client, config, contracts: configured, signers: keys.map(({ address }) => address) });
}

/** A mismatching contract only disables itself, but a chain without any working contract is a mistake. */
function refuseWithoutContract(verdicts: ReadonlyMap<string, ContractVerdict>): void {
  const stopped = [...verdicts.values()].filter(({ signer }) => signer === undefined);
  const [first] = stopped;
  if (first?.complaint !== undefined && stopped.length === verdicts.size) {
    throw new StartError(inFull(first.complaint), { tryAgain: false });
  }
}

/** Refuses a change that would stop signing for a contract. */
function refuseLosing({ contracts }: Parts, verdicts: ReadonlyMap<string, ContractVerdict>): void {
  for (const { version, fault } of contracts.values()) {
    const verdict = verdicts.get(version);
    if (fault !== undefined || verdict?.signer !== undefined || verdict?.complaint === undefined) continue;
    throw new StartError(inFull(verdict.complaint), { tryAgain: false });
  }
}

function withVerdicts(
  { configured, logger }: Parts,
  signers: Keys,
  verdicts: ReadonlyMap<string, ContractVerdict>,
): readonly PaymasterContractRuntime[] {
  return configured.map((contract) => {
    const { location, version } = contract;
    const { signer: accepted, complaint } = verdicts.get(version) ?? {};
    const fields = { chainId: location.chainId, version, contract: location.address };
    const signer = signers.find(({ address }) => address === accepted);
    if (signer === undefined) {
      const fault = complaint?.text ?? `The paymaster contract of version ${version} is unknown.`;
      // The fault is reported to the caller, the remedy to the operator.
      logger.error({ ...fields, ...omitAbsent({ remedy: complaint?.remedy }) }, fault);
      return { ...contract, fault };
    }
    if (complaint !== undefined) logger.warn(fields, `${inFull(complaint)} Until then ${signer.address} signs for it.`);
    return { ...contract, signer };
  });
}

function inFull({ text, remedy }: Complaint): string {
  return remedy === undefined ? text : `${text} ${remedy}`;
}

/**
 * Records the signer of each contract of a chain before anything is signed. Warns about a contract that no longer accepts a
 * former key with unexpired signatures: they fail on chain.
 *
 * @throws StartError when the node does not answer.
 */
async function recordSigners(
  asked: Asked,
  contracts: readonly PaymasterContractRuntime[],
  { store, clock, logger }: { readonly store: Store; readonly clock: Clock; readonly logger: Logger },
): Promise<void> {
  const working = contracts.filter(({ fault }) => fault === undefined);
  for (const { location, signer } of working) {
    const { chainId, address: contract } = location;
    await recordSigner(store, { chainId, contract, signer: signer.address, now: unixSeconds(clock) });
  }
  for (const { chainId, contract, signer, until, openUntil } of await readSigners(store)) {
    const location = working.find((one) => one.location.chainId === chainId && one.location.address === contract);
    if (location === undefined || until === undefined || openUntil === undefined) continue;
    if ((await checkContract(asked, location, signer)) === undefined) continue;
    const fields = { chainId, contract, signer, openUntil };
    logger.warn(
      fields,
      'The contract no longer accepts a former key whose signatures have not expired; they fail on chain',
    );
  }
}

/** The configured keys of a chain, newest first. */
export type ChainKeys = Pick<ChainConfig, 'signer' | 'previousSigners'>;

/**
 * Opens the keys of a chain, newest first; sequentially, since opening a typical keystore takes 256 MiB.
 *
 * @throws StartError when one cannot be opened.
 */
export async function openSigners(keys: ChainKeys, context: SignerContext): Promise<readonly [Signer, ...Signer[]]> {
  try {
    const newest = await openSigner(keys.signer, context);
    const previous: Signer[] = [];
    for (const one of keys.previousSigners ?? []) previous.push(await openSigner(one, context));
    return [newest, ...previous];
  } catch (cause) {
    if (cause instanceof SignerConfigError) throw new StartError(cause.message, { tryAgain: false, cause });
    throw cause;
  }
}
