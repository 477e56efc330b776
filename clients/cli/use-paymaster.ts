import { readChosenPaymaster, writeChosenPaymaster } from './chosen-paymaster.ts';
import { findPaymaster, openManagement } from './open-management.ts';
import type { Flags } from './terminal/flags.ts';
import { printAnswer, printHint, printLine } from './terminal/print-answer.ts';

/** `tollfree use`: chooses a paymaster for the commands of this folder, or shows the choice. */
export async function usePaymaster(named: string | undefined, flags: Flags): Promise<void> {
  const { client, baseUrl } = openManagement(flags);
  if (named === undefined) {
    const chosen = readChosenPaymaster(baseUrl);
    return printAnswer(flags, chosen ?? {}, () =>
      chosen === undefined
        ? printHint('No paymaster is chosen: tollfree use <name or id>.')
        : printLine(`${chosen.name} (${chosen.paymasterId})`),
    );
  }
  const { paymasterId, name } = await findPaymaster(client, named);
  writeChosenPaymaster({ url: baseUrl, paymasterId, name });
  printAnswer(flags, { paymasterId, name }, () => printLine(`Commands in this folder now act on ${name}.`));
}
