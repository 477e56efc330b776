import type { LoadResult } from './load.ts';

type Row = LoadResult & { readonly name: string; readonly connections: number; readonly ratio: number };

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
