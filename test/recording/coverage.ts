import { readdirSync, readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { context, trace } from '@opentelemetry/api';
import { NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { unreachable } from './unreachable.ts';

/** What a recording has entered, as text for people. */
export type Coverage = { report(): Promise<string> };

const root = fileURLToPath(new URL('../../', import.meta.url));
const pipelines = 'core/sponsorship/pipeline.ts';
/** Folders whose refusals a recording has to reach. */
const deciding = /^core\/(sponsorship|policies|ledger\/holds|tickets|webhooks|quotes)\//;

/** Starts to watch which steps of deciding are entered, how they end, and which places that refuse are reached. */
export async function watchCoverage(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const outcomes = new Map<string, number>();
  const provider = new NodeTracerProvider({
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: ({ name, attributes }: ReadableSpan) => {
          const { 'tollfree.outcome': outcome, 'tollfree.reason': reason } = attributes;
          const seen = `${name} ${String(reason ?? outcome ?? 'failed')}`;
          outcomes.set(seen, (outcomes.get(seen) ?? 0) + 1);
        },
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  });
  provider.register();
  const steps = await nameSteps();
  return {
    report: async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const refusing = (await Promise.all(result.map((script) => refusalsOf(session, script)))).flat();
      session.disconnect();
      trace.disable();
      context.disable();
      return reportOf(steps, outcomes, refusing);
    },
  };
}

/** Two steps that check one rule have its name. Each gets that of its export instead, so that they are told apart. */
async function nameSteps(): Promise<readonly string[]> {
  const folder = join(root, 'core/sponsorship');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const file of files) {
    const exported: object = await import(pathToFileURL(join(folder, file)).href);
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
    }
  }
  const taken = readFileSync(join(root, pipelines), 'utf8').matchAll(/\.step\((\w+)\)/g);
  return [...new Set([...taken].map(([, name = '']) => name))];
}

/** A place in the code that refuses, as the process runs it, and whether it was reached. */
type Refusing = { readonly file: string; readonly text: string; readonly isReached: boolean };

async function refusalsOf(
  session: Session,
  { url, scriptId, functions }: Profiler.ScriptCoverage,
): Promise<readonly Refusing[]> {
  const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url;
  if (!deciding.test(file)) return [];
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
  const ranges = functions.flatMap((each) => each.ranges);
  return [...scriptSource.matchAll(/(?<!function )\b(refuse\w*|notFor|refusal)\(/g)].map(({ index }) => {
    // The smallest range around a place has its count.
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= index && index < endOffset);
    const size = ({ startOffset, endOffset }: (typeof ranges)[number]) => endOffset - startOffset;
    const [smallest] = around.sort((one, other) => size(one) - size(other));
    const text = scriptSource.slice(index, index + 110).replaceAll(/\s+/g, ' ');
    return { file, text, isReached: smallest !== undefined && smallest.count > 0 };
  });
}

function reportOf(
  steps: readonly string[],
  outcomes: ReadonlyMap<string, number>,
  refusing: readonly Refusing[],
): string {
  const ofStep = (step: string) =>
    [...outcomes]
      .filter(([seen]) => seen.startsWith(`step ${step} `))
      .map(([seen, count]) => [seen.slice(step.length + 6), count] as const);
  const rows = steps.map((step) => {
    const seen = ofStep(step).sort();
    return `${step.padEnd(28)} ${seen.map(([outcome, count]) => `${outcome} ${count}`).join(', ') || 'never entered'}`;
  });
  const missed = refusing.filter(({ isReached }) => !isReached).map(({ file, text }) => `${file}  ${text}`);
  const [explained, others] = [true, false].map((isExplained) =>
    missed.filter((place) => unreachable.some(({ where }) => where.test(place)) === isExplained),
  ) as [string[], string[]];
  const entered = steps.filter((step) => ofStep(step).length > 0);
  return [
    ...rows,
    `${entered.length} of ${steps.length} steps entered.`,
    ...others.sort(),
    `${refusing.length - missed.length} of ${refusing.length} places that refuse reached; ${explained.length} cannot be; ${others.length} were not.`,
  ].join('\n');
}
