import { accepted } from '../accepted.ts';
import type { Flags } from '../config/load-config.ts';
import { withAccounts } from '../open-accounts.ts';
import { formatTime, printRows } from '../print-rows.ts';

/** `tollfree account create`: prints the new accountId alone, so that it can be used in a script. */
export async function createAccount(name: string, flags: Flags): Promise<void> {
  await withAccounts(flags, async (accounts) => {
    const account = accepted(await accounts.createAccount({ name }));
    process.stdout.write(`${account.accountId}\n`);
  });
}

/** `tollfree account list`. */
export async function listAccounts(flags: Flags): Promise<void> {
  await withAccounts(flags, async (accounts) => {
    const list = accepted(await accounts.listAccounts());
    if (list.length === 0) process.stderr.write('There are no accounts yet: tollfree account create <name>\n');
    else printRows(list.map(({ accountId, name, createdAt }) => ({ accountId, created: formatTime(createdAt), name })));
  });
}
