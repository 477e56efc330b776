import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { trace } from '@opentelemetry/api';
import type { Action } from './actions/action.ts';
import { perform } from './actions/perform.ts';
import { newRunState, type RunState } from './actions/run-state.ts';
import { createNormalForm, type NormalForm } from './normal-form.ts';
import type { Setting } from './world/core-config.ts';
import type { World } from './world/open-world.ts';

/** An action and what came of it. */
export type Line = { readonly action: Action; readonly outcome: unknown };

/** All that happened, with the setting the service was started with. */
export type Recording = { readonly setting: Setting; readonly lines: readonly Line[] };

/** Performs actions in a world, one after the other. */
export type Run = { perform(action: Action): Promise<Line> };

const tracer = trace.getTracer('recording');

export function createRun(world: World): Run {
  const state: RunState = newRunState(world);
  const normal: NormalForm = createNormalForm();
  let number = -1;
  return {
    perform: async (action) => {
      number += 1;
      // Within a span, so that the steps of deciding are traced if someone listens.
      const outcome = await tracer.startActiveSpan(action.do, (span) =>
        perform(state, number, action)
          .catch((cause: unknown) => {
            throw new Error(`Line ${number} failed: ${JSON.stringify(action)}`, { cause });
          })
          .finally(() => span.end()),
      );
      // As it is read back from a file.
      return { action, outcome: JSON.parse(JSON.stringify(normal(outcome))) };
    },
  };
}

/** `ask sponsorUserOperation`: what a line does, for people. */
export function describeAction(action: Action): string {
  if (action.do === 'ask') return `ask ${action.method}`;
  return action.do === 'core' ? `core ${action.call}` : action.do;
}

export function writeRecording(file: string, { setting, lines }: Recording): void {
  const rows = [{ setting }, ...lines].map((row) => JSON.stringify(row));
  writeFileSync(file, gzipSync(rows.join('\n')));
}

export function readRecording(file: string): Recording {
  const [head = '{}', ...rows] = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  const { setting = {} } = JSON.parse(head) as { readonly setting?: Setting };
  return { setting, lines: rows.map((row) => JSON.parse(row) as Line) };
}
