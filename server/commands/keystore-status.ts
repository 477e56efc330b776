import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer } from '../../clients/cli/terminal/print-answer.ts';
import { formatTime, printRows } from '../../clients/cli/terminal/print-rows.ts';
import { readSigners } from '../../core/ledger/signers/read-signers.ts';
import { openToRead } from '../../core/store/read-only/open-to-read.ts';
import { databaseOf } from '../config/database-of.ts';
import { loadConfig } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';

/**
 * `tollfree keystore status`: which key signs for which contract, and when a former one can be removed. Works while a
 * service runs.
 */
export async function showSigners(flags: Flags): Promise<void> {
  const store = await openToRead(databaseOf(loadConfig(withOwnConfig(flags))));
  try {
    const signers = await readSigners(store);
    printAnswer(flags, signers, () =>
      printRows(
        signers.map(({ chainId, contract, signer, since, until, openUntil }) => ({
          chain: String(chainId),
          contract,
          signer,
          since: formatTime(since),
          until: formatTime(until),
          state:
            until === undefined
              ? 'signs'
              : openUntil === undefined
                ? 'can be removed'
                : `open until ${formatTime(openUntil)}`,
        })),
      ),
    );
  } finally {
    await store.close();
  }
}
