import { styleText } from 'node:util';
import { CliError, exitCodes, exitMistake, mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { findConfigFile, withOwnConfig } from '../config/load-config.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

/** Exit code when there is nothing but warnings. */
const exitWarnings = exitCodes.review.code;

const marks = { ok: ['✓', 'green'], warning: ['!', 'yellow'], failure: ['✗', 'red'] } as const;

/** `tollfree doctor`: what is wrong with an installation, and what fixes it. Ends with 0, with 1 after failures, with 2 after warnings alone. */
export async function showFindings(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  if (findConfigFile(flags) === undefined) throw mistake('Name the configuration: --config <file>.');
  const findings = await withProgress('Checking the installation', () => examine(flags));
  printAnswer(flags, { findings }, () => printLine(describe(findings)));
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const [failures, warnings] = [count('failure'), count('warning')];
  const found = `${failures} to fix, ${warnings} to review`;
  if (failures > 0) throw new CliError(found, exitMistake);
  if (warnings > 0) throw new CliError(found, exitWarnings);
}

/** A line for each finding, under what it is about, and another one for its remedy. */
function describe(findings: readonly Finding[]): string {
  const topics = [...new Set(findings.map(({ about }) => about))];
  return topics
    .map((topic) => [topic, ...findings.filter(({ about }) => about === topic).flatMap(linesOf)].join('\n'))
    .join('\n');
}

function linesOf({ level, message, remedy }: Finding): readonly string[] {
  const [mark, colour] = marks[level];
  const line = `  ${styleText(colour, mark, { stream: process.stdout })} ${message}`;
  return remedy === undefined ? [line] : [line, `    ${remedy}`];
}
