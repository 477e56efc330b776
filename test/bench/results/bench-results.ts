import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const LoadResultSchema = z.object({
  decisionsPerSecond: z.number(),
  /** Of an HTTP request, of which a decision may have several. */
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** Answers without a result. Refusals that the row asks for are counted alone. */
  failures: z.number(),
  refused: z.number(),
  /** CPU time of the chain's node and of the service for one decision, in milliseconds, where the system reports it. */
  nodeCpuMs: z.number().optional(),
  serviceCpuMs: z.number().optional(),
  /** Questions that the service asked its node for one decision, and their part of the time that the decision took. */
  nodeQuestions: z.number().optional(),
  nodeShare: z.number().optional(),
});

/** One measurement. */
export type LoadResult = z.output<typeof LoadResultSchema>;

const BenchRowSchema = LoadResultSchema.extend({
  name: z.string(),
  connections: z.number(),
  /** To the bare loop of digest and signature. */
  ratio: z.number(),
  warmUpSeconds: z.number(),
});
export type BenchRow = z.output<typeof BenchRowSchema>;

/** What `npm run bench -- --json FILE` writes. */
const BenchResultsSchema = z.object({
  commit: z.string(),
  date: z.iso.date(),
  processor: z.string(),
  node: z.string(),
  cores: z.number(),
  pinning: z.string(),
  secondsEach: z.number(),
  bareLoopPerSecond: z.number(),
  rows: z.array(BenchRowSchema),
  /** What one operation costs from its first question to its receipt. */
  operations: z.array(
    z.object({
      way: z.enum(['paymaster', 'relay']),
      requests: z.number(),
      toNode: z.number(),
      roundTrips: z.number(),
      gas: z.number(),
    }),
  ),
});
export type BenchResults = z.output<typeof BenchResultsSchema>;

/** The run that the pages show. */
export const shownResults = join(import.meta.dirname, 'shown.json');

export function readResults(file: string): BenchResults {
  return BenchResultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The row of a name, with so many connections. */
export function findRow({ rows }: BenchResults, name: string, connections: number): BenchRow {
  const row = rows.find((one) => one.name === name && one.connections === connections);
  if (row !== undefined) return row;
  throw new Error(
    `The results have no row "${name}" with ${connections} connections. docs/contribute/testing.md says how to run it.`,
  );
}
