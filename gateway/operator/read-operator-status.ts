import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  maxListedAccounts,
  type OperatorChain,
  type OperatorContract,
  type OperatorSigner,
  type OperatorStatus,
} from '@tollfree/contract/operator';
import type { Metric, MetricSource } from '../../core/base/metrics/metric-registry.ts';
import type { Core } from '../../core/domain/core.ts';
import type { LedgerState } from '../../core/domain/ledger-report.ts';
import type { ServedChain, ServedContract } from '../../core/domain/paymaster.ts';
import type { ContractSigner } from '../../core/domain/signer-config.ts';
import type { LedgerReader, MetricReader } from '../core-readers.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { Readiness } from '../health.ts';
import { findKeyProblems, findProblems } from './find-problems.ts';

type Labels = Readonly<Record<string, string>>;
/** The values of a metric with these labels. */
type Look = (name: string, labels: Labels, suffix?: string) => readonly { labels: Labels; value: number }[];

/** The sources of the status; only those of the core may reject. */
type StatusSources = {
  readonly core: Pick<Core, 'listChains' | 'readSigners' | 'readSignUp' | 'listAccounts'>;
  /** Whether browsers can sign in here. */
  readonly isSignInSetUp: () => boolean;
  readonly readiness: () => Promise<Readiness>;
  readonly readMetrics: MetricReader;
  readonly readLedger: LedgerReader;
  /** Metrics of this process, if the core runs in another one. */
  readonly own?: MetricSource | undefined;
  /** Limits of this gateway. */
  readonly limits: GatewayLimits;
};

/** The status overview. Parts that cannot be read now are left out, so that there is an answer when something is wrong. */
export async function readOperatorStatus(sources: StatusSources): Promise<OperatorStatus> {
  const [readiness, metrics, states, served, read, mode, own, newest] = await Promise.all([
    sources.readiness(),
    sources.readMetrics(),
    sources.readLedger(),
    sources.core.listChains().catch(() => undefined),
    sources.core.readSigners().catch(() => undefined),
    sources.isSignInSetUp() ? sources.core.readSignUp().catch(() => undefined) : undefined,
    sources.own?.(),
    sources.core.listAccounts({ newest: maxListedAccounts }).catch(() => undefined),
  ]);
  const look = lookIn(metrics ?? []);
  const signers = read?.ok ? read.value : [];
  const chains = (served?.ok ? served.value : []).map((chain) =>
    toChain(chain, { look, states: states ?? [], signers }),
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
      accounts: newest?.ok ? newest.value.map((account) => ({ ...account })) : undefined,
    }),
    limits: { ...sources.limits },
  };
}

/** An earlier core version reports fewer labels. */
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
  readonly states: readonly LedgerState[];
  readonly signers: readonly ContractSigner[];
};

function toChain({ chainId, name, contracts }: ServedChain, { look, states, signers }: Read) {
  const chain = { chain: String(chainId) };
  const asksBundler = look('tollfree_bundler_question_seconds', chain, '_count').length > 0;
  const available = look('tollfree_gas_tank_available_wei', chain);
  return {
    chainId,
    name,
    ...omitAbsent({
      headAt: only(look('tollfree_chain_head_timestamp_seconds', chain)),
      coinUsd: only(look('tollfree_coin_price_usd', chain)),
    }),
    prices: look('tollfree_price_source_answered_timestamp_seconds', chain).map(({ labels, value }) => ({
      source: labels.source ?? '',
      answeredAt: value,
    })),
    ...omitAbsent({ gasPrices: toGasPrices(chain, look) }),
    contracts: contracts.map((contract) => toContract({ contract, chainId }, look, states)),
    signers: signers.filter((signer) => signer.chainId === chainId).map(toSigner),
    nodes: toNodes(chain, look),
    ...(asksBundler ? { bundler: asked('tollfree_bundler_question_seconds', chain, look) } : {}),
    ...omitAbsent({
      relay: toRelay(chainId, look, { states, contracts }),
      vendor: toVendor(chain, look),
      hotWallet: toHotWallet(chain, look),
    }),
    tanks: available.map(({ labels, value }) => ({
      contract: labels.contract ?? '',
      wallet: labels.wallet ?? '',
      availableWei: value,
      ...omitAbsent({ daysLeft: only(look('tollfree_gas_tank_days_left', labels)) }),
    })),
  } satisfies OperatorChain;
}

function toGasPrices(chain: Labels, look: Look): OperatorChain['gasPrices'] {
  const found = look('tollfree_chain_step_gas', chain);
  return found.length === 0 ? undefined : found.map(({ labels: { step = '' }, value }) => ({ step, gas: value }));
}

function toNodes(chain: Labels, look: Look): OperatorChain['nodes'] {
  const counted = look('tollfree_node_question_seconds', chain, '_count');
  const states = look('tollfree_node_resting', chain);
  const names = new Set([...counted, ...states].map(({ labels }) => labels.node ?? ''));
  const first = states.find(({ value }) => value === 0) ?? states[0];
  const furthest = Math.max(0, ...look('tollfree_node_head_block', chain).map(({ value }) => value));
  return [...names]
    .sort((one, other) => Number(one) - Number(other))
    .map((node) => {
      const state = states.find(({ labels }) => labels.node === node);
      const head = only(look('tollfree_node_head_block', { ...chain, node }));
      return {
        node,
        ...(state === undefined
          ? {}
          : {
              ...omitAbsent({ host: state.labels.host }),
              isAsked: first?.labels.node === node,
              isResting: state.value > 0,
            }),
        ...(head === undefined ? {} : { head, behind: furthest - head }),
        ...asked('tollfree_node_question_seconds', { ...chain, node }, look),
      };
    });
}

/** The ledger identifies the relay by the address of its EntryPoint, which is not a paymaster contract. */
function toRelay(
  chainId: number,
  look: Look,
  { states, contracts }: Pick<Read, 'states'> & Pick<ServedChain, 'contracts'>,
): OperatorChain['relay'] {
  const executors = look('tollfree_relay_executor_wei', { chain: String(chainId) });
  if (executors.length === 0) return undefined;
  const state = states.find(
    (one) => one.chainId === chainId && contracts.every(({ address }) => address !== one.contract),
  );
  return {
    ...omitAbsent({ heldWei: state?.held.toString(), differenceWei: state?.difference?.toString() }),
    executors: executors.map(({ labels, value }) => ({ executor: labels.executor ?? '', balanceWei: value })),
  };
}

function toVendor(chain: Labels, look: Look): OperatorChain['vendor'] {
  const of = (window: string) => {
    const spentUsd = only(look('tollfree_vendor_spent_usd', { ...chain, window }));
    const budgetUsd = only(look('tollfree_vendor_budget_usd', { ...chain, window }));
    return spentUsd === undefined || budgetUsd === undefined ? undefined : { spentUsd, budgetUsd };
  };
  const [day, month] = [of('day'), of('month')];
  return day === undefined || month === undefined ? undefined : { day, month };
}

function toHotWallet(chain: Labels, look: Look): OperatorChain['hotWallet'] {
  const sentWei = only(look('tollfree_hot_wallet_sent_wei', chain));
  const maxPerDayWei = only(look('tollfree_hot_wallet_max_per_day_wei', chain));
  if (sentWei === undefined || maxPerDayWei === undefined) return undefined;
  const [wallet] = look('tollfree_hot_wallet_wei', chain);
  const blocked = look('tollfree_hot_wallet_blocked', chain).find(({ value }) => value > 0)?.labels.reason;
  return {
    ...omitAbsent({ wallet: wallet?.labels.wallet, balanceWei: wallet?.value, blocked }),
    sentWei,
    maxPerDayWei,
  };
}

function toSigner({ chainId: _, complaint: __, remedy: ___, places, ...signer }: ContractSigner): OperatorSigner {
  return { ...signer, places: places.map((location) => ({ ...location })) };
}

function toContract(
  { contract, chainId }: { readonly contract: ServedContract; readonly chainId: number },
  look: Look,
  states: readonly LedgerState[],
): OperatorContract {
  const { version, family, address, entryPointVersion } = contract;
  const labels = { chain: String(chainId), contract: address };
  const state = states.find((each) => each.chainId === chainId && each.contract === address);
  return {
    version,
    family,
    address,
    entryPointVersion,
    ...omitAbsent({
      depositWei: state?.chainDeposit?.toString(),
      stakeWei: only(look('tollfree_contract_stake_wei', labels)),
      heldWei: state?.held.toString(),
      differenceWei: state?.difference?.toString(),
      atBlock: state?.atBlock.toString(),
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
