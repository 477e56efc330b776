import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { context, trace } from '@opentelemetry/api';
import { NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { nameOf, type RefusingPlace, watchRefusingPlaces } from '../support/run/refusing-places.ts';
import { unreachable } from './unreachable.ts';

/** What a recording has entered, as text for people. */
export type Coverage = { report(reachedByTests: ReadonlySet<string>): Promise<string> };

const root = fileURLToPath(new URL('../../', import.meta.url));
const pipelines = 'core/sponsorship/pipeline.ts';

/** Starts to watch which steps of deciding are entered, how they end, and which places that refuse are reached. */
export async function watchCoverage(): Promise<Coverage> {
  const places = await watchRefusingPlaces();
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
    report: async (reachedByTests) => {
      const refusing = await places.read();
      places.close();
      trace.disable();
      context.disable();
      return reportOf(steps, outcomes, { refusing, reachedByTests });
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

function reportOf(
  steps: readonly string[],
  outcomes: ReadonlyMap<string, number>,
  places: { readonly refusing: readonly RefusingPlace[]; readonly reachedByTests: ReadonlySet<string> },
): string {
  const ofStep = (step: string) =>
    [...outcomes]
      .filter(([seen]) => seen.startsWith(`step ${step} `))
      .map(([seen, count]) => [seen.slice(step.length + 6), count] as const);
  const rows = steps.map((step) => {
    const seen = ofStep(step).sort();
    return `${step.padEnd(28)} ${seen.map(([outcome, count]) => `${outcome} ${count}`).join(', ') || 'never entered'}`;
  });
  const { refusing, reachedByTests } = places;
  const missed = refusing.filter(({ isReached }) => !isReached);
  const byNone = missed.filter((place) => !reachedByTests.has(nameOf(place)));
  const written = byNone.map(({ file, text }) => `${file}  ${text}`);
  const [explained, others] = [true, false].map((isExplained) =>
    written.filter((place) => unreachable.some(({ where }) => where.test(place)) === isExplained),
  ) as [string[], string[]];
  const entered = steps.filter((step) => ofStep(step).length > 0);
  return [
    ...rows,
    `${entered.length} of ${steps.length} steps entered.`,
    ...others.sort(),
    `${refusing.length} places refuse: ${refusing.length - missed.length} reached by generated requests, ${missed.length - byNone.length} more by tests, ${explained.length} cannot be, ${others.length} were not.`,
  ].join('\n');
}
