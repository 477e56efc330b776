import { type BenchResults, findRow } from './bench-results.ts';

/** Part of a day's operations in its busiest hour, and how many times the hour's mean its busiest minute has. */
const busiestHour = 1 / 10;
const busiestMinute = 5;
/** How busy a process may be for long: above it, TollfreeEventLoopBusy is near. */
const mostBusy = 0.7;
/** Connections of the measured rows: the service has as much to do as it can. */
export const busyConnections = 32;

/** CPU time of an operation whose wallet asks twice, as ERC-7677 has it, in milliseconds. */
export type OperationCpu = { readonly service: number; readonly node: number };

export function readOperationCpu(results: BenchResults): OperationCpu {
  const { serviceCpuMs, nodeCpuMs } = findRow(results, 'ERC-7677, new', busyConnections);
  if (serviceCpuMs === undefined || nodeCpuMs === undefined) throw new Error('The results have no CPU time.');
  return { service: digits(serviceCpuMs), node: digits(nodeCpuMs) };
}

/** What a number of operations a day needs. */
export type Capacity = {
  readonly perDay: number;
  readonly meanPerSecond: number;
  readonly hourPerSecond: number;
  readonly peakPerSecond: number;
  /** CPU cores in the busiest minute. */
  readonly serviceCores: number;
  readonly nodeCores: number;
  /** Processes, each of which decides on one CPU core. */
  readonly processes: number;
};

export function computeCapacity(perDay: number, cpu: OperationCpu): Capacity {
  const hourPerSecond = (perDay * busiestHour) / 3_600;
  const peakPerSecond = hourPerSecond * busiestMinute;
  const serviceCores = (peakPerSecond * cpu.service) / 1_000;
  return {
    perDay,
    meanPerSecond: perDay / 86_400,
    hourPerSecond,
    peakPerSecond,
    serviceCores,
    nodeCores: (peakPerSecond * cpu.node) / 1_000,
    processes: Math.ceil(serviceCores / mostBusy),
  };
}

/** With two digits that count. */
export function digits(value: number): number {
  return Number(value.toPrecision(2));
}
