import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { endWait, readLostAt } from '../../core/store/postgres/losses/end-wait.ts';
import { loadConfig } from '../config/load-config.ts';
import { readReports, requireAgreement } from './ledger.ts';

/**
 * `tollfree ledger resume`: ends the wait of all cores after their database lost committed data, once the ledger agrees with
 * every chain. Operations signed under lost holds can still land without money held for them, which the operator must
 * accept.
 */
export async function resumeLedger(flags: Flags): Promise<void> {
  const { databaseUrl } = loadConfig(flags);
  if (databaseUrl === undefined)
    throw mistake('Only a database on PostgreSQL can lose data in a failover: set databaseUrl.');
  const lostAt = await readLostAt(databaseUrl);
  if (lostAt === undefined) throw mistake('The database lacks nothing that is known: no core waits.');
  requireAgreement(await readReports(flags));
  if (flags.acceptLostHolds !== true) {
    throw mistake(
      'The ledger adds up. Signatures of the minutes before the failover may have lost their holds and can still land until they ' +
        'expire, at the cost of the deposit. Repeat with --accept-lost-holds to sign again at once.',
    );
  }
  if (!(await endWait(databaseUrl, lostAt))) throw mistake('The database has lost data again meanwhile. Check again.');
  printAnswer(flags, { lostAt }, () => printLine('The cores sign again within seconds.'));
}
