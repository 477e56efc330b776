import { existsSync, readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { type BenchTarget, servicePids } from './bench-target.ts';
import { type NodeSeconds, nodeSecondsBetween, readNodeSeconds } from './node-seconds.ts';
import { nextNonceKey, type RequestKind, requestOf } from './request-kinds.ts';
import type { LoadResult } from './results/bench-results.ts';

export type Load = {
  readonly connections: number;
  readonly seconds: number;
  readonly background?: NodeSeconds | undefined;
};

/** Counts what was answered. */
export type Answers = { failures: number; refused: number };

export async function measureLoad(target: BenchTarget, kind: RequestKind, load: Load): Promise<LoadResult> {
  const answers: Answers = { failures: 0, refused: 0 };
  const used = () => ({ node: cpuTime([target.nodePid]), service: cpuTime(servicePids(target)) });
  const nodeBefore = await readNodeSeconds(target);
  const before = used();
  const result = await makeLoad(target, kind, load, answers);
  const after = used();
  const nodeAfter = await readNodeSeconds(target);
  const decisions = result.requests / kind.bodies.length;
  const cpuOf = (end?: number, start?: number) =>
    end === undefined || start === undefined || decisions === 0 ? undefined : (end - start) / decisions;
  const node = nodeSecondsBetween([nodeBefore, nodeAfter], load.background, result.seconds);
  const nodeCpuMs = cpuOf(after.node, before.node);
  const serviceCpuMs = cpuOf(after.service, before.service);
  return {
    decisionsPerSecond: decisions / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    failures: answers.failures + result.errors,
    refused: answers.refused,
    ...(nodeCpuMs === undefined || serviceCpuMs === undefined ? {} : { nodeCpuMs, serviceCpuMs }),
    ...(node === undefined
      ? {}
      : {
          nodeQuestions: node.questions / decisions,
          nodeShare: (node.seconds * 1_000) / (result.averageMs * result.requests),
        }),
  };
}

type LoadTotals = {
  readonly requests: number;
  readonly errors: number;
  readonly seconds: number;
  readonly averageMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** The connections are shared out to the cores, each of which answers for itself: latencies are those of the slowest. */
async function makeLoad(target: BenchTarget, kind: RequestKind, load: Load, answers: Answers): Promise<LoadTotals> {
  const urls = [target.rpcUrl, ...(target.others ?? []).map(({ rpcUrl }) => rpcUrl)];
  const connections = Math.ceil(load.connections / urls.length);
  const results = await Promise.all(
    urls.map((rpcUrl) =>
      autocannon({ ...requestsOf({ ...target, rpcUrl }, kind, answers), connections, duration: load.seconds }),
    ),
  );
  const sum = (of: (result: autocannon.Result) => number) => results.reduce((total, result) => total + of(result), 0);
  const most = (of: (result: autocannon.Result) => number) => Math.max(...results.map(of));
  const requests = sum(({ requests }) => requests.total);
  return {
    requests,
    errors: sum(({ errors }) => errors),
    seconds: most(({ duration }) => duration),
    averageMs: sum(({ latency, requests }) => latency.average * requests.total) / requests,
    p50Ms: most(({ latency }) => latency.p50),
    p99Ms: most(({ latency }) => latency.p99),
  };
}

/** Two seconds in a row that differ by less are alike. */
const likeness = 0.05;
/** Shortest and longest warm-up, in seconds. On a slow machine seconds are soon alike, long before all is compiled. */
const minSeconds = 4;
const maxSeconds = 25;
const minRequests = 6_000;

/** Makes load until what is answered in a second no longer changes. Returns how many seconds that took. */
export async function warmUp(target: BenchTarget, kind: RequestKind): Promise<number> {
  const others = (target.others ?? []).map(({ rpcUrl }) => warmUp({ ...target, rpcUrl, others: [] }, kind));
  const counts: number[] = [];
  let count = 0;
  let total = 0;
  const running = autocannon(
    { ...requestsOf(target, kind, { failures: 0, refused: 0 }), connections: 16, duration: maxSeconds },
    () => undefined,
  );
  running.on('response', () => {
    count += 1;
  });
  running.on('tick', () => {
    const last = counts.at(-1);
    counts.push(count);
    total += count;
    const isWarm = counts.length >= minSeconds && total >= minRequests;
    if (isWarm && last !== undefined && Math.abs(count / last - 1) < likeness) running.stop?.();
    count = 0;
  });
  await new Promise((resolve) => running.on('done', resolve));
  return Math.max(counts.length, ...(await Promise.all(others)));
}

/** Each connection asks for one decision after the other. */
export function requestsOf(target: BenchTarget, kind: RequestKind, answers: Answers): autocannon.Options {
  const note = (_: number, text: string) => {
    if (text.includes('"result"')) return;
    if (kind.refusal !== undefined && text.includes(kind.refusal)) answers.refused += 1;
    else answers.failures += 1;
  };
  return {
    url: target.rpcUrl,
    method: 'POST',
    requests: kind.bodies.map((bodyOf, step) => ({
      setupRequest: (request, context) => {
        const decision = context as { nonceKey?: number };
        if (step === 0 || decision.nonceKey === undefined) decision.nonceKey = nextNonceKey();
        return { ...request, ...requestOf(bodyOf, target, decision.nonceKey) };
      },
      onResponse: note,
    })),
  };
}

/** Ticks of Linux's clock in a second, as `/proc` counts them. */
const ticksPerSecond = 100;

/** Processor time that processes have used so far, in milliseconds; undefined where the system does not tell. */
function cpuTime(pids: readonly (number | undefined)[]): number | undefined {
  let ticks = 0;
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`;
    if (pid === undefined || !existsSync(file)) return undefined;
    // The name of the program, in brackets, may have spaces.
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1_000) / ticksPerSecond;
}
