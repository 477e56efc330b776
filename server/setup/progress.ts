import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';

/** The outcome of one step. */
type StepOutcome = {
  readonly step: string;
  /** Existed before, or done now. */
  readonly state: 'there' | 'done';
  readonly detail: string;
};

/** Steps report their outcome at once: the next one may wait an hour for coins. */
export type Progress = {
  readonly outcomes: readonly StepOutcome[];
  note(step: string, state: StepOutcome['state'], detail: string): void;
};

const marks: Readonly<Record<StepOutcome['state'], string>> = { there: '=', done: '✓' };

/** With `--json` stdout is only for the final answer. */
export function createProgress(flags: Flags): Progress {
  const outcomes: StepOutcome[] = [];
  const print = flags.json === true ? printHint : printLine;
  return {
    outcomes,
    note(step, state, detail) {
      outcomes.push({ step, state, detail });
      print(`${marks[state]} ${step.padEnd(14)} ${detail}${state === 'there' ? ' (there already)' : ''}`);
    },
  };
}
