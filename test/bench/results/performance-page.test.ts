import { expect, test } from 'vitest';
import type { BenchResults, BenchRow } from './bench-results.ts';
import { drawChart } from './draw-chart.ts';
import { performanceParts, readmeText, scaleParts } from './performance-tables.ts';
import { peerRows, serviceRows, setUpRows } from './row-labels.ts';

const names = [
  ...Object.keys(serviceRows),
  ...Object.keys(peerRows),
  ...Object.keys(setUpRows).flatMap((start) => [`${start}SPONSORED`, `${start}new, given`]),
];

/** A run in which each row makes 500 decisions a second, and the rows that are named what is said of them. */
function runWith(changed: Readonly<Record<string, Partial<BenchRow>>>): BenchResults {
  const rows = names.flatMap((name) =>
    [1, 16, 32].map((connections) => ({
      name,
      connections,
      decisionsPerSecond: 500,
      ratio: 0.1,
      warmUpSeconds: 4,
      p50Ms: 5,
      p99Ms: 50,
      failures: 0,
      refused: 0,
      nodeCpuMs: 1,
      serviceCpuMs: 1,
      ...changed[name],
    })),
  );
  return {
    commit: 'abc1234',
    date: '2026-01-02',
    processor: 'A processor',
    node: 'v24.0.0',
    cores: 2,
    pinning: 'shared',
    secondsEach: 5,
    bareLoopPerSecond: 10_000,
    rows,
    operations: [
      { way: 'paymaster', requests: 5, toNode: 3, roundTrips: 7, gas: 120_000 },
      { way: 'relay', requests: 3, toNode: 1, roundTrips: 4, gas: 90_000 },
    ],
  };
}

test.each([
  // 3 million operations a day are 417 in a second of the busiest minute.
  { serviceCpuMs: 1, cores: 0.42, processes: 1, machine: 2 },
  { serviceCpuMs: 3.3, cores: 1.4, processes: 2, machine: 4 },
  { serviceCpuMs: 8, cores: 3.3, processes: 5, machine: 8 },
])('at $serviceCpuMs ms an operation, a million users need a machine with $machine cores', (row) => {
  const { serviceCpuMs, cores, processes, machine } = row;
  const { sizing = '' } = performanceParts(runWith({ 'ERC-7677, new': { serviceCpuMs } }));
  expect(sizing).toContain(`| 417 × ${serviceCpuMs} ms | ${cores} |`);
  expect(sizing).toContain(`÷ 0.7 | ${processes} |`);
  expect(sizing).toContain(`So one ${machine}-core machine is enough`);
});

test('every page has the numbers of the run, and none of another', () => {
  const results = runWith({ SPONSORED: { decisionsPerSecond: 987 }, 'new, estimated': { decisionsPerSecond: 321 } });
  expect(readmeText(results)).toContain('320 to 990 decisions a second on 2 CPU cores');
  const { decisions, operations, peers } = performanceParts(results);
  expect(decisions).toContain('| the same call again | 5 ms | 987/s, p99 50 ms | 987/s, p99 50 ms | 1 ms | 1 ms |');
  expect(peers).toContain('| digest and signature in a loop | signs, without HTTP | 10,000 |');
  expect(operations).toContain('| 3 | 1 | 4 | 90,000 |');
  const { users } = scaleParts(runWith({ 'PostgreSQL, 1, new, given': { decisionsPerSecond: 100 } }));
  expect(users).toContain('| one database is enough | yes | not shown | not shown |');
});

test('a row that was not measured is named, and no page is written without it', () => {
  const results = runWith({});
  const rows = results.rows.filter(({ name }) => name !== 'bare-signer');
  expect(() => performanceParts({ ...results, rows })).toThrow('no row "bare-signer" with 32 connections');
});

test('the chart says in words what it shows, and cuts the bar of a peer that is many times as fast', () => {
  const chart = drawChart(runWith({ 'bare-signer': { decisionsPerSecond: 9_000 } }));
  expect(chart).toMatch(/<title id="t">Decisions a second with 32 connections\..*node:http, 9000\./);
  const lengths = [...chart.matchAll(/class="(?:own|peer)"[^>]* width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(lengths).toHaveLength(6);
  expect(Math.max(...lengths)).toBeLessThan(350);
  expect(chart.match(/class="page"/g)).toHaveLength(2);
});
