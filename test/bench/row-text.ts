import type { OperationCosts } from '../support/relay/operation-costs.ts';
import type { BenchRow } from './results/bench-results.ts';

type Row = Omit<BenchRow, 'warmUpSeconds'>;

/** Columns of the table, with the width of each. */
const columns = [
  ['row', -24, (row: Row) => row.name],
  ['connections', 11, (row: Row) => String(row.connections)],
  ['decisions/s', 11, (row: Row) => String(Math.round(row.decisionsPerSecond))],
  ['ratio', 6, (row: Row) => row.ratio.toFixed(3)],
  ['p50 ms', 7, (row: Row) => String(row.p50Ms)],
  ['p99 ms', 7, (row: Row) => String(row.p99Ms)],
  ['failures', 8, (row: Row) => String(row.failures)],
  ['refused', 8, (row: Row) => String(row.refused)],
  ['node ms', 8, (row: Row) => row.nodeCpuMs?.toFixed(2) ?? '?'],
  ['service ms', 10, (row: Row) => row.serviceCpuMs?.toFixed(2) ?? '?'],
  ['asks', 6, (row: Row) => row.nodeQuestions?.toFixed(2) ?? '?'],
  ['waits', 6, (row: Row) => (row.nodeShare === undefined ? '?' : `${Math.round(row.nodeShare * 100)} %`)],
] as const;

export const tableHead = columns.map(([name, width]) => pad(name, width)).join(' ');

export function formatRow(row: Row): string {
  return columns.map(([, width, text]) => pad(text(row), width)).join(' ');
}

function pad(text: string, width: number): string {
  return width < 0 ? text.padEnd(-width) : text.padStart(width);
}

/** The rows of two commits in one round: its turns. */
type Round = { readonly own: readonly Row[]; readonly other: readonly Row[] };

/** How many times as many decisions a second, and how much of the CPU time, the first has: the middle of all rounds, and their range. */
export function formatRatios(
  { name, connections }: Pick<Row, 'name' | 'connections'>,
  rounds: readonly Round[],
): string {
  const mean = (turns: readonly Row[], of: (row: Row) => number | undefined) =>
    turns.reduce((sum, row) => sum + (of(row) ?? Number.NaN), 0) / turns.length;
  const ratio = (of: (row: Row) => number | undefined) => {
    const sorted = rounds.map(({ own, other }) => mean(own, of) / mean(other, of)).sort((a, b) => a - b);
    const texts = [median(sorted), sorted.at(0), sorted.at(-1)].map((value) => value?.toFixed(2) ?? '?');
    return rounds.length === 1 ? texts[0] : `${texts[0]} (${texts[1]} to ${texts[2]})`;
  };
  const [decisions, cpu] = [ratio((row) => row.decisionsPerSecond), ratio((row) => row.serviceCpuMs)];
  return `${pad(name, -24)} ${pad(String(connections), 11)}   decisions/s × ${decisions}, CPU time of the service × ${cpu}`;
}

/** The middle of sorted numbers; the mean of the two in the middle where they are even. */
function median(sorted: readonly number[]): number {
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

export function formatOperation({ way, requests, toNode, roundTrips, gas }: OperationCosts): string {
  return `${way}: ${requests} requests to the service, ${toNode} of the client to the node, ${roundTrips} round trips, ${gas} gas`;
}
