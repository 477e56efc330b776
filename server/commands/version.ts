import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { readBuild } from '../process/read-build.ts';

export async function showVersion(flags: Flags): Promise<void> {
  const build = readBuild();
  printAnswer(flags, build, () => {
    const { version, commit = 'unknown (it runs from its sources, or was built without git)', schema, node } = build;
    printLine(`tollfree  ${version}`);
    printLine(`commit    ${commit}`);
    printLine(`schema    ${schema}`);
    printLine(`Node.js   ${node}`);
  });
}
