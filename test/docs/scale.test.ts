import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { postgresLimits } from '../../core/store/postgres/connection-options.ts';

const page = readFileSync('docs/cluster.md', 'utf8');
const users = [1e6, 1e7, 1e8];

const lineOf = (start: string) => page.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '';

/** The numbers of a row of the table of users. */
function rowOf(start: string): readonly number[] {
  return lineOf(start)
    .split('|')
    .slice(2, -1)
    .map((cell) => Number(cell.replace(/[,\s]|GB/g, '')));
}

/** What the label of a row multiplies by, of the unit. */
function factorOf(start: string, unit: string): number {
  return Number(new RegExp(`× ([\\d.]+) ${unit}`).exec(lineOf(start))?.[1]);
}

/** As the page shows it: with two digits that count. */
const rounded = (value: number) => Number(value.toPrecision(2));

test('the connections are those that a process opens', () => {
  const { maxQueryConnections, maxReadConnections } = postgresLimits;
  // One writes, one hears messages and stands for leadership.
  const most = maxQueryConnections + maxReadConnections + 2;
  expect(page).toContain(
    `One process opens at most ${most}: ${maxQueryConnections} for queries, ${maxReadConnections} for`,
  );
  expect(page).toContain(`at least ${most} × processes + 20`);
  expect(rowOf('connections')).toEqual(rowOf('replicas').map((replicas) => (replicas + 1) * most + 20));
});

test('the table of users follows from what it says it is made of', () => {
  const aDay = users.map((count) => count / 10);
  expect(rowOf('operations a day')).toEqual(aDay);
  const aSecond = aDay.map((operations) => (operations / 10 / 3_600) * 5);
  expect(rowOf('operations a second')).toEqual(aSecond.map(Math.round));
  const cores = aSecond.map((operations) => (operations * factorOf('CPU cores of Tollfree', 'ms')) / 1e3);
  expect(rowOf('CPU cores of Tollfree').map(rounded)).toEqual(cores.map(rounded));
  expect(rowOf('replicas')).toEqual(cores.map((count) => Math.ceil(count / 0.5) + 1));
  const nodeMs = factorOf('CPU of the nodes', 'ms');
  expect(rowOf('CPU of the nodes')).toEqual(aSecond.map((operations) => rounded((operations * nodeMs) / 1e3)));
  const kilobytes = factorOf('disk a month', 'kB');
  expect(rowOf('disk a month')).toEqual(aDay.map((operations) => rounded((operations * kilobytes * 30) / 1e6)));
});
