import { styleText } from 'node:util';
import { CliError, exitCodes, exitMistake, mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { findConfigFile, withOwnConfig } from '../config/load-config.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

/** Exit code for warnings only. */
const exitWarnings = exitCodes.review.code;

const marks = { ok: ['✓', 'green'], warning: ['!', 'yellow'], failure: ['✗', 'red'] } as const;

/**
 * `tollfree doctor`: reports problems of an installation and how to fix them. Exit code: 0 = ok, 1 = at least one failure, 2
 * = warnings only.
 */
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

/** A line per finding, grouped by object, and another one for its remedy. */
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
