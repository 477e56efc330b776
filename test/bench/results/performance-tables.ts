import { type BenchResults, type BenchRow, findRow } from './bench-results.ts';
import { busyConnections, type Capacity, computeCapacity, digits, readOperationCpu } from './capacity.ts';
import { peerRows, serviceRows, setUpRows } from './row-labels.ts';

/** The parts of docs/performance.md that a run decides, by the names of their markers. */
export function performanceParts(results: BenchResults): Readonly<Record<string, string>> {
  return {
    summary: summaryOf(results),
    machine: machineOf(results),
    decisions: decisionTable(results),
    peers: peerTable(results),
    'set-ups': setUpTable(results),
    sizing: sizingTable(results),
    operations: operationTable(results),
  };
}

/** The parts of docs/cluster.md. */
export function scaleParts(results: BenchResults): Readonly<Record<string, string>> {
  return { decision: decisionCosts(results), users: userTable(results), database: databaseText(results) };
}

/** What the README says. */
export function readmeText(results: BenchResults): string {
  return `${speedOf(results)} decisions a second on ${results.cores} CPU cores that it shared with its node and the load, everything on disk before the answer.\n[Measurements](docs/performance.md).`;
}

/** From the slowest to the fastest of the requests for a signature, with many connections. */
function speedOf(results: BenchResults): string {
  const speeds = (['ERC-7677, new', 'new, estimated', 'new, given', 'SPONSORED'] as const).map(
    (name) => findRow(results, name, busyConnections).decisionsPerSecond,
  );
  return `${digits(Math.min(...speeds))} to ${digits(Math.max(...speeds))}`;
}

function summaryOf(results: BenchResults): string {
  const cpu = readOperationCpu(results);
  return [
    `One process on SQLite makes ${speedOf(results)} decisions a second on ${results.cores} CPU cores, which it shares with the chain's node`,
    `and the load generator. An operation of a wallet that asks twice (ERC-7677) costs ${cpu.service} ms of CPU time.`,
    '',
    '![Bars: decisions a second of Tollfree, and of two signers that check nothing](pictures/performance.svg)',
  ].join('\n');
}

function machineOf({ processor, node, date, commit, pinning, secondsEach }: BenchResults): string {
  return `The run: ${processor}, Node.js ${node}, ${secondsEach} s a measurement, ${date}, commit ${commit}. ${pinning}.`;
}

function decisionTable(results: BenchResults): string {
  const at = (name: string, connections: number) => findRow(results, name, connections);
  return tableOf(
    ['request', 'alone: p50', '16 connections', '32 connections', 'CPU time of the service', 'of the node'],
    Object.entries(serviceRows).map(([name, label]) => {
      const busy = at(name, busyConnections);
      const cells = [16, busyConnections].map((connections) => speedCell(at(name, connections)));
      return [
        label,
        `${at(name, 1).p50Ms} ms`,
        ...cells,
        milliseconds(busy.serviceCpuMs),
        milliseconds(busy.nodeCpuMs),
      ];
    }),
  );
}

function speedCell({ decisionsPerSecond, p99Ms }: BenchRow): string {
  return `${whole(decisionsPerSecond)}/s, p99 ${p99Ms} ms`;
}

function peerTable(results: BenchResults): string {
  const rows = [
    ...Object.entries(peerRows).map(([name, label]) => ({ name, label, does: 'signs' })),
    ...(['SPONSORED', 'new, given'] as const).map((name) => ({
      name,
      label: `Tollfree, ${serviceRows[name]}`,
      does: 'decides, holds and records, then signs',
    })),
  ];
  return tableOf(
    ['signer', 'what it does', 'a second', 'p99', 'CPU time'],
    [
      [
        'digest and signature in a loop',
        'signs, without HTTP',
        whole(results.bareLoopPerSecond),
        '–',
        milliseconds(1_000 / results.bareLoopPerSecond),
      ],
      ...rows.map(({ name, label, does }) => {
        const { decisionsPerSecond, p99Ms, serviceCpuMs } = findRow(results, name, busyConnections);
        return [label, does, whole(decisionsPerSecond), `${p99Ms} ms`, milliseconds(serviceCpuMs)];
      }),
    ],
  );
}

function setUpTable(results: BenchResults): string {
  return tableOf(
    ['set-up', `${serviceRows.SPONSORED}`, 'a new call', 'CPU time of the service for a new call'],
    Object.entries(setUpRows).map(([start, label]) => {
      const [again, fresh] = ['SPONSORED', 'new, given'].map((name) =>
        findRow(results, `${start}${name}`, busyConnections),
      );
      return [
        label,
        `${whole(again?.decisionsPerSecond)}/s`,
        `${whole(fresh?.decisionsPerSecond)}/s`,
        milliseconds(fresh?.serviceCpuMs),
      ];
    }),
  );
}

function operationTable({ operations }: BenchResults): string {
  const labels = { paymaster: 'paymaster contract', relay: '[relay](relay.md)' };
  return tableOf(
    [
      'way',
      'requests to the service',
      'requests of the client to the node',
      'round trips, one after another',
      'gas of the transaction',
    ],
    operations.map(({ way, requests, toNode, roundTrips, gas }) => [
      labels[way],
      ...[requests, toNode, roundTrips].map(String),
      whole(gas),
    ]),
  );
}

const users = 1_000_000;
const operationsOfUser = 3;

function sizingTable(results: BenchResults): string {
  const cpu = readOperationCpu(results);
  const capacity = computeCapacity(users * operationsOfUser, cpu);
  const { perDay, meanPerSecond, hourPerSecond, peakPerSecond, serviceCores, nodeCores, processes } = capacity;
  const table = tableOf(
    ['step', 'arithmetic', 'result'],
    [
      ['operations a day', `${whole(users)} × ${operationsOfUser}`, whole(perDay)],
      ['a second, mean of the day', `${whole(perDay)} ÷ 86,400`, whole(meanPerSecond)],
      [
        'a second in the busiest hour, which has a tenth of the day',
        `${whole(perDay)} ÷ 10 ÷ 3,600`,
        whole(hourPerSecond),
      ],
      ['a second in the busiest minute, five times that', `${whole(hourPerSecond)} × 5`, whole(peakPerSecond)],
      ['CPU cores of Tollfree then', `${whole(peakPerSecond)} × ${cpu.service} ms`, String(digits(serviceCores))],
      [
        'CPU cores of the chain’s node, if it is yours',
        `${whole(peakPerSecond)} × ${cpu.node} ms`,
        String(digits(nodeCores)),
      ],
      ['processes, each at most 70 % busy', `${digits(serviceCores)} ÷ 0.7`, String(processes)],
    ],
  );
  return `${table}\n\n${verdictOf(capacity)}\n${databaseNote(results, peakPerSecond)}`;
}

/** The cores that machines are sold with. */
const machineCores = [2, 4, 8, 16, 32];

function verdictOf({ processes }: Capacity): string {
  // PostgreSQL has its own, and so has the system.
  const needed = processes === 1 ? 2 : processes + 1;
  const cores = machineCores.find((count) => count >= needed) ?? needed;
  const setUp = processes === 1 ? 'one process on SQLite' : `${processes} processes and PostgreSQL`;
  return `So one ${cores}-core machine is enough for 1 million users with 3 operations a day each: ${setUp}, with the node at a provider.`;
}

/** The CPU time of a database is not counted, so what it was seen to do stands next to what is needed. */
function databaseNote(results: BenchResults, peakPerSecond: number): string {
  const measured = findRow(results, 'PostgreSQL, 1, new, given', busyConnections).decisionsPerSecond;
  return `PostgreSQL, one process and the load took ${whole(measured)} new calls a second on ${results.cores} CPU cores in this run; the busiest minute needs ${whole(peakPerSecond)}.`;
}

/** What `npm run bench:landed-bytes` says of SQLite. */
const kilobytes = 2.3;

function decisionCosts(results: BenchResults): string {
  const cpu = readOperationCpu(results);
  const [, estimated] = ['new, given', 'new, estimated'].map(
    (name) => findRow(results, name, busyConnections).nodeCpuMs,
  );
  return tableOf(
    ['part', 'a new operation, both steps of ERC-7677', 'source'],
    [
      ['gateway and core', `${cpu.service} ms of one CPU core`, 'CPU time, Performance'],
      [
        'node of the chain',
        `${cpu.node} ms of its CPU, ${milliseconds(estimated)} if one request estimates the limits; 60 to 80 kB sent to it, unless the [simulation code is on chain](deploy.md#a-node-that-is-far-away)`,
        'Performance, Operations',
      ],
      ['database', 'one durable commit, shared by what waits at the same time', 'Architecture'],
      ['disk', `${kilobytes} kB`, '[Operations](ledger.md#disk-space), for one that lands'],
    ],
  );
}

function userTable(results: BenchResults): string {
  const cpu = readOperationCpu(results);
  const capacities = [1e6, 1e7, 1e8].map((count) => computeCapacity(count / 10, cpu));
  const row = (label: string, of: (capacity: Capacity) => string) => [label, ...capacities.map(of)];
  const replicas = ({ serviceCores }: Capacity) => Math.ceil(serviceCores / 0.5) + 1;
  const measured = findRow(results, 'PostgreSQL, 1, new, given', busyConnections).decisionsPerSecond;
  return tableOf(
    ['', '1 million users', '10 million', '100 million'],
    [
      row('operations a day', ({ perDay }) => whole(perDay)),
      row('operations a second in the busiest minute: a day ÷ 10 ÷ 3600 × 5', ({ peakPerSecond }) =>
        whole(peakPerSecond),
      ),
      row(`CPU cores of Tollfree at that time: × ${cpu.service} ms`, ({ serviceCores }) =>
        String(digits(serviceCores)),
      ),
      row('replicas, at most half busy, and one to spare', (capacity) => String(replicas(capacity))),
      row('connections: × 8, one replica more, + 20', (capacity) => String((replicas(capacity) + 1) * 8 + 20)),
      row(`CPU of the nodes: × ${cpu.node} ms`, ({ nodeCores }) => String(digits(nodeCores))),
      row(`disk a month: × ${kilobytes} kB × 30`, ({ perDay }) => `${digits((perDay * kilobytes * 30) / 1e6)} GB`),
      row('one database is enough', ({ peakPerSecond }) => (peakPerSecond < measured ? 'yes' : 'not shown')),
    ],
  );
}

function databaseText(results: BenchResults): string {
  const [known, fresh] = ['SPONSORED', 'new, given'].map((name) =>
    whole(findRow(results, `PostgreSQL, 1, ${name}`, busyConnections).decisionsPerSecond),
  );
  return `One PostgreSQL server on the same ${results.cores} CPU cores as everything else took ${known} known and ${fresh} new calls a second.`;
}

function tableOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, names.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function whole(value = Number.NaN): string {
  return Math.round(value).toLocaleString('en-US');
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : `${digits(value)} ms`;
}
