import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';

/** What became of one step. */
type StepOutcome = {
  readonly step: string;
  /** There before, or done now. */
  readonly state: 'there' | 'done';
  readonly detail: string;
};

/** Where steps tell how they ended, each at once: the next one may wait for coins for an hour. */
export type Progress = {
  readonly outcomes: readonly StepOutcome[];
  note(step: string, state: StepOutcome['state'], detail: string): void;
};

const marks: Readonly<Record<StepOutcome['state'], string>> = { there: '=', done: '✓' };

/** With `--json` stdout belongs to the answer at the end. */
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
