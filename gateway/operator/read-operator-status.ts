import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Metric, MetricSource } from '../../core/base/metrics/metric.ts';
import type { Core } from '../../core/domain/core.ts';
import type { LedgerStanding } from '../../core/domain/ledger/ledger-report.ts';
import type { ServedChain, ServedContract } from '../../core/domain/paymaster.ts';
import type { ContractSigner } from '../../core/domain/signing/contract-signer.ts';
import type { Readiness } from '../health.ts';
import type { LedgerReader } from '../ledger-reader.ts';
import type { MetricReader } from '../metric-reader.ts';
import { findKeyProblems } from './find-key-problems.ts';
import { findProblems } from './find-problems.ts';
import type { OperatorChain, OperatorContract, OperatorSigner, OperatorStatus } from './operator-status.ts';

type Labels = Readonly<Record<string, string>>;
/** The values of a metric whose labels are these. */
type Look = (name: string, labels: Labels, suffix?: string) => readonly { labels: Labels; value: number }[];

/** What the status is read from; of these only those of the core reject. */
export type StatusSources = {
  readonly core: Pick<Core, 'listChains' | 'readSigners' | 'readSignUp'>;
  /** Whether browsers can sign in here. */
  readonly isSignInSetUp: () => boolean;
  readonly readiness: () => Promise<Readiness>;
  readonly readFigures: MetricReader;
  readonly readLedger: LedgerReader;
  /** Of this process, where the core is another one. */
  readonly own?: MetricSource | undefined;
};

/** The service at a glance. What cannot be read now is left out, so that there is an answer when something is wrong. */
export async function readOperatorStatus(sources: StatusSources): Promise<OperatorStatus> {
  const [readiness, metrics, standings, served, read, mode, own] = await Promise.all([
    sources.readiness(),
    sources.readFigures(),
    sources.readLedger(),
    sources.core.listChains().catch(() => undefined),
    sources.core.readSigners().catch(() => undefined),
    sources.isSignInSetUp() ? sources.core.readSignUp().catch(() => undefined) : undefined,
    sources.own?.(),
  ]);
  const look = lookIn(metrics ?? []);
  const signers = read?.ok ? read.value : [];
  const chains = (served?.ok ? served.value : []).map((chain) =>
    toChain(chain, { look, standings: standings ?? [], signers }),
  );
  const parts = readiness.parts.map((part) => ({ ...part }));
  return {
    ready: readiness.ready,
    problems: [...findProblems({ parts, chains }), ...findKeyProblems(signers)],
    parts,
    builds: lookIn([...(own ?? []), ...(metrics ?? [])])('tollfree_build_info', {}).map(toBuild),
    chains,
    database: omitAbsent({
      bytes: only(look('tollfree_database_bytes', { file: 'main' })),
      freeBytes: only(look('tollfree_database_disk_free_bytes', {})),
    }),
    ...omitAbsent({
      notificationsPending: only(look('tollfree_notifications_pending', {})),
      signUp: mode?.ok ? mode.value.signUp : undefined,
    }),
  };
}

/** A core of an earlier version names less. */
function toBuild({ labels }: { readonly labels: Labels }): OperatorStatus['builds'][number] {
  const { process = 'core', version = 'unknown', commit = 'unknown', schema = 'unknown', node = 'unknown' } = labels;
  return { process, version, commit, schema, node };
}

function lookIn(metrics: readonly Metric[]): Look {
  return (name, wanted, suffix = '') =>
    metrics
      .filter((metric) => metric.name === name)
      .flatMap(({ samples }) => samples)
      .filter((sample) => sample.suffix === suffix)
      .filter(({ labels }) => Object.entries(wanted).every(([label, text]) => labels[label] === text));
}

function only(found: ReturnType<Look>): number | undefined {
  return found[0]?.value;
}

type Read = {
  readonly look: Look;
  readonly standings: readonly LedgerStanding[];
  readonly signers: readonly ContractSigner[];
};

function toChain({ chainId, name, contracts }: ServedChain, { look, standings, signers }: Read) {
  const chain = { chain: String(chainId) };
  const nodes = new Set(look('tollfree_node_question_seconds', chain, '_count').map(({ labels }) => labels.node ?? ''));
  const asksBundler = look('tollfree_bundler_question_seconds', chain, '_count').length > 0;
  const available = look('tollfree_gas_tank_available_wei', chain);
  return {
    chainId,
    name,
    ...omitAbsent({ coinUsd: only(look('tollfree_coin_price_usd', chain)) }),
    contracts: contracts.map((contract) => toContract({ contract, chainId }, look, standings)),
    signers: signers.filter((signer) => signer.chainId === chainId).map(toSigner),
    nodes: [...nodes]
      .sort((one, other) => Number(one) - Number(other))
      .map((node) => ({
        node,
        ...asked('tollfree_node_question_seconds', { ...chain, node }, look),
      })),
    ...(asksBundler ? { bundler: asked('tollfree_bundler_question_seconds', chain, look) } : {}),
    tanks: available.map(({ labels, value }) => ({
      contract: labels.contract ?? '',
      wallet: labels.wallet ?? '',
      availableWei: value,
      ...omitAbsent({ daysLeft: only(look('tollfree_gas_tank_days_left', labels)) }),
    })),
  } satisfies OperatorChain;
}

function toSigner({ chainId: _, complaint: __, remedy: ___, places, ...signer }: ContractSigner): OperatorSigner {
  return { ...signer, places: places.map((location) => ({ ...location })) };
}

function toContract(
  { contract, chainId }: { readonly contract: ServedContract; readonly chainId: number },
  look: Look,
  standings: readonly LedgerStanding[],
): OperatorContract {
  const { version, family, address, entryPointVersion } = contract;
  const labels = { chain: String(chainId), contract: address };
  const standing = standings.find((each) => each.chainId === chainId && each.contract === address);
  return {
    ...{ version, family, address, entryPointVersion },
    ...omitAbsent({
      depositWei: standing?.chainDeposit?.toString(),
      heldWei: standing?.held.toString(),
      differenceWei: standing?.difference?.toString(),
      atBlock: standing?.atBlock.toString(),
      tanksInUse: only(look('tollfree_gas_tanks_in_use', labels)),
      tanksLow: only(look('tollfree_gas_tanks_low', labels)),
    }),
  };
}

function asked(name: string, labels: Labels, look: Look) {
  const sum = (suffix: string, outcome: string) =>
    look(name, { ...labels, outcome }, suffix).reduce((total, { value }) => total + value, 0);
  const answered = sum('_count', 'answered');
  const failed = sum('_count', 'failed');
  const seconds = sum('_sum', 'answered') + sum('_sum', 'failed');
  const questions = answered + failed;
  return { answered, failed, ...(questions === 0 ? {} : { averageMs: Math.round((seconds / questions) * 1_000) }) };
}
